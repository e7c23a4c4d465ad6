/** Programs that send SQL to a database: each statement is analysed. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { after } from "../verbs.ts";
import { changesData, sqlEffects } from "./sql-effects.ts";
import type { SqlKind } from "./sql.ts";

export const sqlClients: readonly Program[] = [
  program("psql pgcli ysqlsh", psql, {
    options: {
      short: "cdfvLoFPRThpU",
      long: namesIn(`command dbname file set variable log-file output field-separator pset
        record-separator table-attr host port username`),
      known: namesIn(
        `list quiet tuples-only no-psqlrc single-transaction echo-all csv html no-align expanded`,
      ),
    },
  }),
  program("mysql mariadb mycli", mysql),
  program("sqlite3 sqlite litecli sqlcipher", sqlite, {
    options: {
      oneDash: true,
      long: namesIn("cmd init newline nullvalue separator vfs maxsize mmap heap nonce lookaside"),
    },
  }),
  program("duckdb", duckdb, {
    options: { oneDash: true, long: namesIn("c s cmd init f newline nullvalue separator") },
  }),
];

/** A remote server is contacted over the network; the local one usually by a socket. */
const asksHost = (host: Word | undefined): Effect[] =>
  host && !host.text.startsWith("/") ? [{ type: "fetches", from: host }] : [];

/** Statements from standard input. */
function fromInput({ input }: Use, kind: SqlKind): Effect[] {
  if (!input.isGiven) return [];
  if (input.text) return sqlEffects(input.text, kind);
  return input.flows.has("network") || input.flows.has("decoded")
    ? [danger("high", "it runs statements that nobody has seen")]
    : [danger("medium", "it runs the statements of its input")];
}

const fromFiles = (files: readonly Word[]): Effect[] =>
  files
    .filter(({ text }) => text !== "-" && text !== "/dev/null")
    .flatMap((path): Effect[] => [loads(path), danger("medium", "it runs the statements of a file")]);

function* psql(use: Use): Iterable<Effect> {
  if (use.has("help", "version", "V", "?")) return;
  const address = [...use.values("d", "dbname"), ...use.operands].find(({ text }) => text.includes("://"));
  yield* asksHost(use.value("h", "host") ?? address);
  const codes = use.values("c", "command");
  for (const code of codes) yield* sqlEffects(code, "postgres");
  const files = use.values("f", "file");
  yield* fromFiles(files);
  for (const output of use.values("o", "output"))
    if (output.text.startsWith("|"))
      yield* [
        danger("high", "its option -o runs a command"),
        interprets("shell", withText(output, output.text.slice(1))),
      ];
    else yield* replaces([output]);
  yield* replaces(use.values("L", "log-file"));
  for (const setting of use.values("v", "set", "variable"))
    if (setting.text.includes("`")) yield danger("high", "its settings run a command");
  if (codes.length === 0 && (files.length === 0 || files.some(({ text }) => text === "-")))
    yield* fromInput(use, "postgres");
}

const mysqlOptions: OptionForm = {
  short: "ehuDPSTr",
  long: namesIn(`execute host user database port socket tee pager init-command defaults-file
    defaults-extra-file defaults-group-suffix plugin-dir default-auth delimiter prompt ssl-ca ssl-cert
    ssl-key ssl-mode protocol connect-timeout max-allowed-packet default-character-set login-path`),
  known:
    namesIn(`password batch silent skip-column-names table vertical xml html force local-infile raw quick no-
        beep`),
};

/** `-psecret` is a single word (its letters are not options), and a bare `-p` prompts for the password. */
function* mysql(given: Use): Iterable<Effect> {
  const use = after(
    given,
    given.words.filter(({ text }) => !/^-p./u.test(text)),
    mysqlOptions,
  );
  if (use.has("help", "version", "V", "?")) return;
  yield* asksHost(use.value("h", "host"));
  const codes = use.values("e", "execute", "init-command");
  for (const code of codes) yield* sqlEffects(code, "mysql");
  for (const code of use.values("pager"))
    yield* [danger("high", "its option --pager runs a command"), interprets("shell", code)];
  if (use.has("plugin-dir")) yield danger("high", "its option --plugin-dir loads code");
  yield* reads(use.values("defaults-file", "defaults-extra-file"));
  yield* replaces(use.values("tee"));
  if (codes.length === 0) yield* fromInput(use, "mysql");
}

function* sqlite(use: Use): Iterable<Effect> {
  const [file, ...statements] = use.operands;
  if (use.has("version", "help")) return;
  const codes = [...use.values("cmd"), ...statements.map((code) => withText(code, code.text))];
  if (use.has("A")) yield danger("medium", "it moves files in or out of an archive");
  yield* fromFiles(use.values("init"));
  for (const code of codes) yield* sqlEffects(code, "sqlite");
  if (statements.length === 0) yield* fromInput(use, "sqlite");
  if (!file || /^(?::memory:)?$/u.test(file.text)) return;
  const input = use.input.isGiven && statements.length === 0 ? use.input.text : undefined;
  const isChanged =
    !use.has("readonly") && [...codes, ...(input ? [input] : [])].some((code) => changesData(code, "sqlite"));
  yield isChanged ? { type: "writes", path: file, how: "edits" } : { type: "reads", path: file };
}

function* duckdb(use: Use): Iterable<Effect> {
  const [file, ...statements] = use.operands;
  if (use.has("version", "help")) return;
  const codes = [...use.values("c", "s", "cmd"), ...statements];
  yield* fromFiles(use.values("init", "f"));
  for (const code of codes) yield* sqlEffects(code, "other");
  if (codes.length === 0) yield* fromInput(use, "other");
  if (!file || /^(?::memory:)?$/u.test(file.text)) return;
  yield !use.has("readonly") && codes.some((code) => changesData(code, "other"))
    ? { type: "writes", path: file, how: "edits" }
    : { type: "reads", path: file };
}
