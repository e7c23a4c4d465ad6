/** Splits SQL into statements and words, and tells what each statement does. */

import { unknown, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

export type SqlKind = "postgres" | "mysql" | "sqlite" | "other";

type SqlToken = {
  readonly type: "word" | "text" | "sign" | "command";
  /** Words are in upper case; strings lack their quotes; client commands (`\!`, `.shell`) are unchanged. */
  readonly text: string;
};

/** The statements in order. A line with a client command is a statement of its own. Never throws. */
export function statementsIn(text: string, kind: SqlKind): (readonly SqlToken[])[] {
  const statements: SqlToken[][] = [[]];
  for (let at = 0; at < text.length;) {
    const pattern = patterns[kind][statements.at(-1)?.length === 0 ? "start" : "inside"];
    pattern.lastIndex = at;
    const { 0: whole = "", groups = {} } = pattern.exec(text) ?? {};
    at += Math.max(whole.length, 1);
    const token = tokenOf(groups);
    if (token?.type === "command") statements.push([token], []);
    else if (token) statements.at(-1)?.push(token);
    if (groups["end"]) statements.push([]);
  }
  return statements.filter((statement) => statement.length > 0);
}

function tokenOf({ command, string, name, sign }: Record<string, string | undefined>): SqlToken | undefined {
  if (command) return { type: "command", text: command.trim() };
  if (string) return { type: "text", text: string.replaceAll(/^(?:E?'|"|\$\w*\$)|(?:'|"|\$\w*\$)$/giu, "") };
  if (name) return { type: "word", text: name.replaceAll(/["`]/gu, "").toUpperCase() };
  return sign ? { type: "sign", text: sign } : undefined;
}

const blank = String.raw`\s+|--[^\n]*|/\*(?!!)[^]*?(?:\*/|$)`;
const blankForMysql = String.raw`\s+|--(?:\s[^\n]*|$)|#[^\n]*|/\*!\d*|\*/|/\*[^]*?(?:\*/|$)`;
const plain = String.raw`'[^']*(?:''[^']*)*(?:'|$)`;
const escaped = String.raw`'(?:[^'\\]|\\[^]|'')*(?:'|\\?$)`;
const tagged = String.raw`(?<tag>\$(?:[\p{L}_]\w*)?\$)[^]*?(?:\k<tag>|$)`;
const named = String.raw`(?<name>"[^"]*(?:"|$)|\x60[^\x60]*(?:\x60|$)|[\p{L}_][\p{L}\p{N}_$]*)`;

/** A backslash escapes in strings of some; `commands` are those of the client. */
const patternOf = (strings: string, commands: string, blanks = blank): RegExp =>
  new RegExp(
    `${blanks}|(?<end>;)|(?<command>${commands})|(?<string>${strings})|${named}|(?<sign>[^])`,
    "iuy",
  );

const ofPostgres = patternOf(`E${escaped}|${plain}|${tagged}`, String.raw`\\[^\n]+`);
const stringsOfMysql = `${escaped}|${escaped.replaceAll("'", '"')}`;
const anywhere = String.raw`\\[!.TPe][^\n]*`;
const ofLine = String.raw`${anywhere}|(?:system|source|tee|pager|edit)\s[^\n;]+`;
const ofOthers = {
  start: patternOf(`${plain}|${tagged}`, String.raw`[.:!][^\n]+`),
  inside: patternOf(`${plain}|${tagged}`, "(?!)"),
};

const patterns: Readonly<Record<SqlKind, { start: RegExp; inside: RegExp }>> = {
  postgres: { start: ofPostgres, inside: ofPostgres },
  mysql: {
    start: patternOf(stringsOfMysql, ofLine, blankForMysql),
    inside: patternOf(stringsOfMysql, anywhere, blankForMysql),
  },
  sqlite: ofOthers,
  other: ofOthers,
};

/** Pure queries have no effects. */
export const sqlEffects = (code: Word, kind: SqlKind): Effect[] =>
  statementsIn(code.text, kind).flatMap((statement) => {
    const [first] = statement;
    return first?.type === "command"
      ? clientCommands(withText(code, first.text))
      : [...onData(statement), ...onFiles(statement, code, kind)];
  });

const loses = danger("high", "it removes data or tables, or changes who may use them");
const changes = danger("medium", "it changes data in a database");
const reachesOut = danger("high", "it reaches files or programs of the database's machine, or gives it code");

const asking =
  /^(?:SELECT|TABLE|VALUES|SHOW|DESC|DESCRIBE|USE|SET|BEGIN|START|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|ABORT|PRAGMA|ANALYZE|HELP|CHECK|VACUUM|REINDEX|OPTIMIZE|FETCH|DECLARE|CLOSE|LISTEN|UNLISTEN|DISCARD|RESET|PRINT|GO|STATUS|CHECKPOINT|DETACH|CONSISTENCY|EXIT|QUIT|TIMING|EXPAND|DEALLOCATE|LOCK|UNLOCK|SUMMARIZE|FROM|PIVOT|LIST|EXISTS|MATCH|RETURN|WITH|EXPLAIN)\b/u;
/** With ANALYZE the statement behind it runs. */
const explaining = /^EXPLAIN (?:\( [^)]*\) |(?:ANALY[SZ]E|VERBOSE) )*/u;
/** Also within a statement: `WITH gone AS (DELETE …)`. */
const within = /(?<!\b(?:FOR|ON|DO|OF) |\. )\b(?:UPDATE|DELETE|MERGE)\b/u;
const losing =
  /^(?:LOAD (?!.*\b(?:DATA|XML|INTO|INPATH)\b)|(?:DROP|TRUNCATE|ALTER|GRANT|REVOKE|REASSIGN|RENAME|PURGE|KILL|SHUTDOWN|DENY|SYSTEM|UNDROP|DO|CALL|EXEC|EXECUTE|INSTALL|SECURITY)\b)/su;
const codeMade =
  /^CREATE (?:\S+ ){0,4}(?:EXTENSION|FUNCTION|PROCEDURE|TRIGGER|USER|ROLE|LANGUAGE|SERVER|SUBSCRIPTION|EVENT|ASSEMBLY|LOGIN|SECRET)\b/u;

function onData(statement: readonly SqlToken[]): Effect[] {
  const said = statement
    .map(({ type, text }) => (type === "text" ? "''" : text.replaceAll(/\s+/gu, "_")))
    .join(" ");
  const whole = said.replace(/^[( ]+/u, "");
  if (/^EXPLAIN (?!.*\bANALY[SZ]E\b)/su.test(whole)) return [];
  const plain = whole.replace(explaining, "");
  if (said.startsWith(unknown)) return [danger("high", "its statements are only known when it runs")];
  if (codeMade.test(plain)) return [reachesOut];
  if (losing.test(plain) || within.test(plain)) return [loses];
  return asking.test(plain) && !/\bINSERT\b|\0/u.test(plain) ? [] : [changes];
}

const onServer =
  /^(?:OUTFILE|DUMPFILE|XP_CMDSHELL|SP_OA\w+)$|^(?:LOAD_EXTENSION|SYS_EXEC|SYS_EVAL|PG_READ_FILE|PG_READ_BINARY_FILE|PG_LS_DIR|LO_EXPORT|LO_IMPORT|DBLINK|DBLINK_EXEC|PG_TERMINATE_BACKEND|PG_RELOAD_CONF|QUERY_TO_XML|FTS3_TOKENIZER|OPENROWSET|LOAD_FILE|UTL_HTTP|UTL_FILE|DBMS_SCHEDULER|EDIT|SHELL|URL|EXECUTABLE) \($/u;
const writing = /^(?:OUTFILE|DUMPFILE|TO|INTO|ATTACH|DATABASE|WRITEFILE|FUNCTION)$/u;
const pathLike = /^(?:~|\.{0,2}\/|[a-z][\w+.-]*:)|\.\w{1,8}$/iu;

/** What texts and functions name: `COPY … TO PROGRAM 'x'`, `INTO OUTFILE 'x'`, `read_csv('x')`. */
const onFiles = (statement: readonly SqlToken[], code: Word, kind: SqlKind): Effect[] =>
  statement.flatMap(({ type, text }, at): Effect[] => {
    if (type === "word")
      return onServer.test(text) || onServer.test(`${text} ${statement[at + 1]?.text}`) ? [reachesOut] : [];
    if (type !== "text") return [];
    const near = statement.slice(Math.max(0, at - 3), at).filter((token) => token.type === "word");
    const before = near.at(-1)?.text ?? "";
    const path = withText(code, text);
    if (before === "PROGRAM")
      return [reachesOut, { type: "interprets", language: "shell", code: path, remote: true }];
    // A server's files are not those of this machine.
    if (kind === "postgres")
      return statement[0]?.text === "COPY" && /^(?:TO|FROM)$/u.test(before) ? [reachesOut] : [];
    if (
      !pathLike.test(text) ||
      /^(?:[=<>] .*|. (?:IN|VALUES))$/u.test(`${statement[at - 1]?.text} ${before}`)
    )
      return [];
    return near.some((word) => writing.test(word.text))
      ? [{ type: "writes", path, how: "edits" }]
      : [{ type: "reads", path }];
  });

const runsCommand = danger("high", "it runs a command out of the database's client");

/** One line may hold several commands of psql; everything behind `\!` goes to the shell. */
function clientCommands(line: Word): Effect[] {
  const [, before = "", shell] = /^((?:[^\\]|\\(?!!))*)(\\![^]*)?$/u.exec(line.text) ?? [];
  const parts = before.startsWith("\\") ? before.split(/(?=\\[a-z])/iu) : [before];
  return [...parts, ...(shell === undefined ? [] : [shell])].flatMap((text) => commandEffects(text, line));
}

/** To the shell goes all that follows, what stands behind a pipe, or in quotes. */
const given = [
  /^[\\.:]?(?:!+|(?:sh(?!ow)\w*|sy\w*|pager|edit)\b|\\?[Pe]\b)\s*([^]*)$/u,
  /^[\\.:]?(?:o|out|g|gx|w|write|output|once|read|r|import|log)\b[^|]*\|([^]*)$/u,
  /\bprogram\s+'([^']*)'/iu,
  /`([^`]*)`/u,
];
const dangers = /^\\(?:gexec|setenv|ef|ev|lo_import|lo_export|password)\b|^[.:](?:load|archive|ar)\b/u;
/** The file that a command runs, reads rows from, or writes. */
const places: readonly (readonly [RegExp, (path: Word) => Effect[]])[] = [
  [
    /^[\\.:]?(?:i|ir|include|include_relative|\.|source|read|rea|r|load)\s+(\S+)/iu,
    (path) => [loads(path), danger("medium", "it runs the statements of a file")],
  ],
  [
    /^\\copy\b.*\sfrom\s+('[^']*'|\S+)|^\.import\s+(\S+)/isu,
    (path) => [{ type: "reads", path }, danger("medium", "it changes data in a database")],
  ],
  [
    /^\\copy\b.*\sto\s+(?!p?stdout)('[^']*'|\S+)|^[\\.:]?(?:o|out|g|gx|w|write|tee|T|output|once|log|excel|trace|testcase|backup|save|clone|export|open|restore)\s+(?!stdout|off|\()(?:\S+\s+)*?('[^']*'|\S+)\s*$/isu,
    (path) => [{ type: "writes", path, how: "replaces" }],
  ],
];

function commandEffects(text: string, line: Word): Effect[] {
  const code = given.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
  const plain = (part: string): Word => withText(line, part.trim().replaceAll(/^['"]|['"]$/gu, ""));
  if (code !== undefined) return [runsCommand, interprets("shell", plain(code))];
  const effects = places.flatMap(([pattern, does]) => {
    const [, path, other] = pattern.exec(text) ?? [];
    return path || other ? does(plain(path ?? other ?? "")) : [];
  });
  return [...(dangers.test(text) ? [runsCommand] : []), ...effects];
}
