/** Database utilities: dumps, restores, creating and dropping databases. */

import type { Word } from "../../command-line/word.ts";
import { danger, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { program, type Program, type Use } from "../program.ts";
import { always } from "../verbs.ts";

const connecting = "hpUd";
const connection = ["host", "port", "username", "dbname", "maintenance-db"];

const unlessAsked =
  (effects: readonly Effect[]): Program["does"] =>
  ({ has }) =>
    has("help", "version", "V") ? [] : effects;

export const dumps: readonly Program[] = [
  program("dropdb dropuser droplang", unlessAsked(always("it drops a database or a user of it")), {
    options: { short: connecting, long: connection },
  }),
  program("createdb", unlessAsked(always("it makes a database", "medium")), {
    options: { short: `${connecting}DEOlT`, long: connection },
  }),
  program("createuser", unlessAsked(always("it lets somebody use the database"))),
  program("pg_dump pg_dumpall", dumping, {
    options: {
      short: `${connecting}fFntTNEjSZ`,
      long: [...connection, "file", "format", "schema", "table", "exclude-table", "jobs", "compress"],
    },
  }),
  program("pg_restore", restoring, {
    options: {
      short: `${connecting}fFnjtLIPST`,
      long: [...connection, "file", "format", "jobs", "table", "use-list"],
    },
  }),
  program(
    "pg_basebackup initdb",
    ({ values, operands, has }) =>
      has("help", "version") ? [] : replaces([...values("D", "pgdata"), ...operands]),
    { options: { short: "DUhpEFXcAlZ", long: ["pgdata"] } },
  ),
  program("pg_isready pg_config pg_controldata pg_waldump pg_test_fsync pg_verifybackup", () => []),
  program("vacuumdb reindexdb clusterdb", () => [], { options: { short: connecting, long: connection } }),
  program("pgbench pg_upgrade pg_resetwal pg_rewind pg_archivecleanup pg_receivewal", ({ name, has }) =>
    has("help", "version", "n", "dry-run")
      ? []
      : always("it changes a database from below", name === "pgbench" ? "medium" : "high"),
  ),
  program(
    "pg_ctl pg_ctlcluster pg_dropcluster pg_createcluster pg_lsclusters",
    ({ name, operands }) => {
      if (name === "pg_lsclusters" || operands.some(({ text }) => text === "status")) return [];
      return always(
        "it starts, stops or removes a database server",
        name === "pg_dropcluster" ? "high" : "medium",
      );
    },
    { options: { short: "DlomtUp" } },
  ),

  program("mysqldump mariadb-dump mysqlpump mydumper", mysqlDumping, {
    options: {
      short: "huPSrTBow",
      long: [
        "host",
        "user",
        "port",
        "socket",
        "result-file",
        "tab",
        "where",
        "outputdir",
        "ignore-table",
        "databases-file",
      ],
    },
  }),
  program("mysqladmin mariadb-admin", administers, {
    options: { short: "huPSi", long: ["host", "user", "port", "socket", "sleep"] },
  }),
  program(
    "mysqlshow mysqlcheck mysqlslap mysqlbinlog mysql_config myisamchk mariadb-show mariadb-check",
    () => [],
  ),
  program(
    "mysqlimport myloader mariadb-import",
    unlessAsked(always("it changes data in a database", "medium")),
  ),
  program(
    "mysql_secure_installation mysql_upgrade mysql_install_db mariadb-install-db",
    unlessAsked(always("it changes a database from below")),
  ),

  program(
    "mongodump mongoexport bsondump",
    ({ values, name }) => {
      const paths = values("o", "out", "archive");
      return [
        ...replaces(paths.filter(({ text }) => text !== "-")),
        ...(paths.length === 0 && name === "mongodump" ? replaces([dumpDirectory]) : []),
      ];
    },
    {
      options: {
        short: "hdcoqu",
        long: ["uri", "host", "db", "collection", "out", "query", "archive", "username", "password"],
      },
    },
  ),
  program(
    "mongorestore mongoimport",
    ({ values, operands, has }) => [
      ...reads([...values("file", "dir", "archive"), ...operands]),
      ...always("it changes data in a database", has("drop") ? "high" : "medium"),
    ],
    {
      options: {
        short: "hdcu",
        long: ["uri", "host", "db", "collection", "file", "dir", "archive", "username", "password", "type"],
      },
    },
  ),
  program("mongostat mongotop mongofiles", ({ operands: [verb] }) =>
    verb?.text.startsWith("delete") ? always("it deletes stored files") : [],
  ),
];

const dumpDirectory: Word = { text: "dump", isPattern: false, mayBeSeveral: false, carries: new Set() };

function* dumping(use: Use): Iterable<Effect> {
  const host = use.value("h", "host");
  if (host) yield { type: "fetches", from: host };
  yield* replaces(use.values("f", "file"));
}

/** Without a database it only prints the statements. */
function* restoring(use: Use): Iterable<Effect> {
  yield* reads(use.operands);
  yield* replaces(use.values("f", "file").filter(({ text }) => text !== "-"));
  if (use.has("l", "list") || !use.has("d", "dbname")) return;
  yield danger(use.has("c", "clean", "C", "create") ? "high" : "medium", "it changes data in a database");
}

function* mysqlDumping(use: Use): Iterable<Effect> {
  const host = use.value("h", "host");
  if (host) yield { type: "fetches", from: host };
  yield* replaces(use.values("r", "result-file", "T", "tab", "o", "outputdir"));
}

function administers({ operands }: Use): readonly Effect[] {
  const verbs = operands.map(({ text }) => text);
  const severe =
    /^(?:drop|shutdown|kill|password|stop-(?:slave|replica)|flush-privileges|reload|refresh|old-password)$/u;
  if (verbs.some((verb) => severe.test(verb)))
    return always("it drops a database, stops its server or changes who may use it");
  return verbs.includes("create") ? always("it makes a database", "medium") : [];
}
