/** Programs that migrate a database step by step, following files in the workspace. */

import { loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";
import { always, type Telling, tellByVerb, type VerbTable, verbTable } from "../verbs.ts";
import { sqlEffects } from "./sql-effects.ts";

const moves = always("it changes the tables of a database", "medium");
const undoes = always("it takes changes of a database back, with the data in them");
const empties = always("it drops a database or all its tables");

const migrating = (names: string, table: VerbTable, long: string): Program =>
  program(names, (use) => (use.has("help", "version", "dry-run") ? [] : tellByVerb(use, table)), {
    options: { short: "cdtpfnxe", long: namesIn(long) },
    kind: "builds",
    verbs: 2,
  });

/** Statements given on the command line, or in a file. */
const says: Telling = ({ operands, values }: Use): readonly Effect[] => [
  ...operands.flatMap((code) => sqlEffects(code, "other")),
  ...values("file").map((path) => loads(path)),
  ...moves,
];

/** Verbs that several migration tools share. */
const common = verbTable(
  [
    [
      `status, version, info, validate, history, current, heads, show, check, list, ls, new, create,
        generate, make, pending, plan, log, verify, diff, snapshot, print, add, init, lint, inspect`,
      [],
    ],
    [
      `up, up-by-one, up-to, migrate, deploy, run, apply, latest, head, seed, bump, goto, load,
        load-all, redo, dump, upgrade, schema apply, migrate apply, schema push`,
      moves,
    ],
    ["down, down-to, rollback, revert, undo, rebase, downgrade, migrate down", undoes],
    ["drop, reset, clean, drop-all, database drop, database reset, force, schema clean, fresh", empties],
    ["migration run, database setup, setup, database create, migrate run", moves],
    ["migration revert, migration redo, migrate revert", undoes],
    [
      `migration list, migration generate, migration pending, migrate info, migrate add, print-schema,
        prepare, migrate status, migrate diff, migrate lint, migrate hash, migrate new, migrate validate`,
      [],
    ],
  ],
  { otherwise: moves },
);

export const migrations: readonly Program[] = [
  migrating(
    "flyway",
    verbTable(
      [
        ["info, validate, check, version, testConnection", []],
        ["clean", empties],
        ["undo", undoes],
      ],
      { otherwise: moves },
    ),
    "url user password locations configFiles",
  ),

  migrating(
    "liquibase",
    verbTable(
      [
        [
          `status, validate, diff, history, snapshot, generate-changelog, generateChangeLog,
            diff-changelog, diffChangeLog, update-sql, updateSQL, rollback-sql, checks,
            calculate-checksum, init, list-locks, unexpected-changesets`,
          [],
        ],
        ["drop-all, dropAll", empties],
        ["rollback, rollback-count, rollback-to-date, rollbackCount, update-testing-rollback", undoes],
        ["execute-sql, executeSql", always("it says statements to a database")],
      ],
      { otherwise: moves },
    ),
    "url username password changelog-file changeLogFile tag count sql",
  ),

  migrating(
    "prisma",
    verbTable(
      [
        [
          `generate, validate, format, init, version, studio, debug, migrate status, migrate diff,
            db pull, introspect, telemetry, dev, mcp`,
          [],
        ],
        ["migrate dev, migrate deploy, migrate resolve, db seed", moves],
        [
          "db execute",
          ({ values }) => [
            ...values("file").map((path) => loads(path)),
            ...always("it says statements to a database", "medium"),
          ],
        ],
        ["db push", ({ has }) => (has("force-reset", "accept-data-loss") ? empties : moves)],
        ["migrate reset, db drop", empties],
        ["platform, login", always("it signs in or out")],
      ],
      { otherwise: moves },
    ),
    "schema name url file to-migration from-schema-datamodel to-schema-datamodel script",
  ),

  migrating(
    "knex",
    verbTable(
      [
        ["migrate:make, migrate:status, migrate:list, migrate:currentVersion, seed:make, init", []],
        ["migrate:rollback, migrate:down, migrate:unlock", undoes],
      ],
      { otherwise: moves },
    ),
    "knexfile env cwd client connection",
  ),

  migrating(
    "sequelize sequelize-cli",
    verbTable(
      [
        [
          `model:generate, model:create, migration:generate, migration:create, seed:generate,
            seed:create, init, init:config, init:migrations, init:models, db:migrate:status`,
          [],
        ],
        ["db:migrate:undo, db:migrate:undo:all, db:seed:undo, db:seed:undo:all", undoes],
        ["db:drop", empties],
      ],
      { otherwise: moves },
    ),
    "name attributes env config url to",
  ),

  migrating(
    "typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm",
    verbTable(
      [
        [
          `migration:generate, migration:create, migration:show, entity:create, subscriber:create, init,
            version, cache:clear, schema:log`,
          [],
        ],
        ["migration:revert", undoes],
        ["schema:drop", empties],
        ["schema:sync", always("it changes tables as the code says, with the data in them")],
        ["query", says],
      ],
      { otherwise: moves },
    ),
    "dataSource",
  ),

  migrating(
    "mikro-orm",
    verbTable(
      [
        [
          `migration:create, migration:list, migration:pending, migration:check, debug, cache:generate,
            generate-entities, seeder:create`,
          [],
        ],
        ["migration:down", undoes],
        ["schema:drop, schema:fresh, migration:fresh, database:drop", empties],
      ],
      { otherwise: moves },
    ),
    "config",
  ),

  migrating(
    "alembic",
    verbTable(
      [
        ["revision, history, current, heads, branches, show, check, init, list_templates, merge, edit", []],
        ["downgrade", undoes],
      ],
      { otherwise: moves },
    ),
    "config name tag rev-id message",
  ),

  migrating(
    "drizzle-kit",
    verbTable(
      [
        [
          `generate, generate:pg, generate:mysql, generate:sqlite, check, up, studio, introspect, pull,
            export, check:pg`,
          [],
        ],
        ["drop", undoes],
      ],
      { otherwise: moves },
    ),
    "config dialect schema out url name",
  ),

  migrating(
    `dbmate goose migrate golang-migrate tern atlas sqitch diesel sqlx refinery sea-orm-cli yoyo umzug
      node-pg-migrate db-migrate ley graphile-migrate`,
    common,
    `url path database source env dir dev-url to dialect target connection-string migrations-dir
      database-url`,
  ),

  migrating(
    "dbt",
    verbTable(
      [
        [
          "compile, parse, test, list, ls, docs, docs generate, docs serve, debug, show, source, init, clean",
          [],
        ],
        ["deps", always("it installs packages, which run code of their own", "medium")],
      ],
      { otherwise: moves },
    ),
    "project-dir profiles-dir target select models exclude vars profile",
  ),

  migrating(
    "hasura",
    verbTable(
      [
        [
          `console, migrate status, metadata diff, metadata export, version, init, metadata ic list,
            seed create, migrate create`,
          [],
        ],
        ["migrate delete, metadata clear", undoes],
      ],
      { otherwise: moves },
    ),
    "endpoint admin-secret project database-name",
  ),
];
