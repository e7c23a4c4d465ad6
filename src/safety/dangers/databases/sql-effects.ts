/** The effects of SQL, statement by statement: on data, on files, and through the code that it runs. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { clientCommand } from "./sql-commands.ts";
import { type SqlKind, type SqlToken, type Statement, statementsIn } from "./sql.ts";

/** Changes to data are dangers; named files are reads or writes. Pure queries have no effects. */
export function sqlEffects(code: Word, kind: SqlKind): Effect[] {
  return statementsIn(code.text, kind).flatMap((statement) => effectsOf(statement, code, kind));
}

/** Whether any statement changes what is stored. */
export const changesData = (code: Word, kind: SqlKind): boolean =>
  sqlEffects(code, kind).some(({ type }) => type === "danger" || type === "interprets");

const hidden = danger("high", "its statements are only known when it runs");
const empties = danger("high", "it changes or removes every row of a table");
const removes = danger("high", "it removes or rebuilds tables, or changes who may use them");
const changes = danger("medium", "it changes data in a database");
const runsCode = danger("high", "it runs code in the database");

function effectsOf(statement: Statement, code: Word, kind: SqlKind): Effect[] {
  const [first] = statement;
  if (!first) return [];
  if (first.type === "command") return [...clientCommand(withText(code, first.text), kind)];
  if (first.type === "unknown") return [hidden];
  const inserted = statement.some(({ type }) => type === "unknown")
    ? [danger("medium", "a part of its statements is only known when it runs")]
    : [];
  return [...byVerb(statement), ...inserted, ...filesAndCode(statement, code, kind)];
}

const asking =
  /^(?:SELECT|TABLE|VALUES|SHOW|DESC|DESCRIBE|USE|SET|BEGIN|START|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|ABORT|PRAGMA|ANALYZE|HELP|CHECK|VACUUM|REINDEX|OPTIMIZE|FETCH|DECLARE|CLOSE|LISTEN|UNLISTEN|DISCARD|RESET|PRINT|GO|STATUS|CHECKPOINT|DETACH|CONSISTENCY|EXIT|QUIT|TIMING|EXPAND|DEALLOCATE|LOCK|UNLOCK|SUMMARIZE|FROM|PIVOT|LIST|EXISTS|MATCH|RETURN)$/u;
const removing =
  /^(?:DROP|TRUNCATE|ALTER|GRANT|REVOKE|REASSIGN|RENAME|PURGE|KILL|SHUTDOWN|DENY|SYSTEM|UNDROP)$/u;
const inserting =
  /^(?:INSERT|REPLACE|MERGE|UPSERT|IMPORT|REFRESH|COMMENT|CLUSTER|FLUSH|ATTACH|NOTIFY|CREATE|LOAD|COPY|EXPORT|UNLOAD|BACKUP|RESTORE|HANDLER|PREPARE)$/u;
const running = /^(?:DO|CALL|EXEC|EXECUTE|INSTALL|SECURITY)$/u;

function byVerb(statement: Statement): Effect[] {
  const verb =
    statement.find(({ type, text }) => type === "word" || (type === "sign" && text !== "("))?.text ?? "";
  if (verb === "WITH" || verb === "EXPLAIN") return inner(statement, verb);
  if (verb === "UPDATE" || verb === "DELETE") return [isWhole(statement) ? empties : changes];
  if (removing.test(verb)) return [removes];
  if (verb === "CREATE") return [creation(statement)];
  const isLibrary =
    verb === "LOAD" && !statement.some(({ text }) => /^(?:DATA|XML|INTO|INPATH)$/u.test(text));
  if (isLibrary) return [runsCode];
  if (inserting.test(verb)) return [changes];
  if (running.test(verb)) return [runsCode];
  return asking.test(verb)
    ? []
    : [danger("medium", "it says something to a database that is not understood")];
}

const mostInner = 50;

/** Statements within a statement: `WITH gone AS (DELETE …)`, and the one that EXPLAIN ANALYZE runs. */
function inner(statement: Statement, verb: string): Effect[] {
  if (verb === "EXPLAIN" && !statement.slice(0, 6).some(({ text }) => text === "ANALYZE")) return [];
  const starts = [...statement.keys()].filter((at) => beginsChange(statement, at));
  if (starts.length > mostInner) return [empties];
  const isEmptying = starts.some(
    (at) => /^(?:UPDATE|DELETE)$/u.test(statement[at]?.text ?? "") && isWhole(statement.slice(at)),
  );
  if (isEmptying) return [empties];
  return starts.length > 0 ? [changes] : [];
}

const beginsChange = (statement: Statement, at: number): boolean => {
  const { type, text } = statement[at] ?? { type: "sign", text: "" };
  const isVerb = type === "word" && /^(?:UPDATE|DELETE|INSERT|MERGE)$/u.test(text);
  return isVerb && !/^(?:FOR|ON|DO|OF|\.)$/u.test(statement[at - 1]?.text ?? "");
};

/** Whether it affects every row: it has no condition of its own, or one that is always true. */
function isWhole(statement: Statement): boolean {
  let depth = 0;
  for (const [at, { type, text }] of statement.entries()) {
    if (type === "sign" && text === "(") depth += 1;
    if (type === "sign" && text === ")") depth -= 1;
    if (depth < 0) return true;
    if (depth === 0 && type === "word" && text === "WHERE") return alwaysTrue(statement.slice(at + 1));
  }
  return true;
}

const alwaysTrue = (condition: Statement): boolean =>
  condition.length < 8 &&
  /^(?:TRUE|1|(?<same>\d+|'\w*')=\k<same>|NOTFALSE)?$/u.test(
    condition.map(({ type, text }) => (type === "text" ? `'${text}'` : text)).join(""),
  );

const creation = (statement: Statement): Effect =>
  statement
    .slice(0, 6)
    .some(({ text }) =>
      /^(?:EXTENSION|FUNCTION|PROCEDURE|TRIGGER|USER|ROLE|LANGUAGE|SERVER|SUBSCRIPTION|EVENT|ASSEMBLY|LOGIN|SECRET)$/u.test(
        text,
      ),
    )
    ? danger("high", "it gives the database code, or lets others in")
    : changes;

const codeFunctions =
  /^(?:LOAD_EXTENSION|XP_CMDSHELL|SYS_EXEC|SYS_EVAL|PG_READ_FILE|PG_READ_BINARY_FILE|PG_LS_DIR|LO_EXPORT|LO_IMPORT|DBLINK|DBLINK_EXEC|PG_TERMINATE_BACKEND|PG_RELOAD_CONF|QUERY_TO_XML|FTS3_TOKENIZER|SP_OACREATE|OPENROWSET|LOAD_FILE|UTL_HTTP|UTL_FILE|DBMS_SCHEDULER|EDIT|SHELL|URL|EXECUTABLE)$/u;

function filesAndCode(statement: Statement, code: Word, kind: SqlKind): Effect[] {
  return statement.flatMap((token, at): Effect[] => {
    if (token.type === "text")
      return kind === "postgres" || kind === "mysql" ? [] : opened(statement, at, code);
    if (token.type !== "word") return [];
    const path = (offset: number): Word[] => textAt(statement, at + offset, code);
    const isCalled = statement[at + 1]?.text === "(";
    if (codeFunctions.test(token.text) && (isCalled || /^(?:XP_|SP_OA)/u.test(token.text)))
      return [danger("high", "it reaches the files or programs of the database's machine")];
    if (token.text === "WRITEFILE" && isCalled)
      return path(2).map((file): Effect => ({ type: "writes", path: file, how: "replaces" }));
    if (token.text === "OUTFILE" || token.text === "DUMPFILE")
      return [danger("high", "it writes a file from the database"), ...writesTo(path(1))];
    if (token.text === "INFILE") return path(1).map((file): Effect => ({ type: "reads", path: file }));
    if (token.text === "PROGRAM") return programOf(path(1), kind);
    return [...attached(statement, at, code), ...copied(statement, at, { code, kind })];
  });
}

const textAt = (statement: Statement, at: number, code: Word): Word[] => {
  const token: SqlToken | undefined = statement[at];
  return token?.type === "text" ? [withText(code, token.text)] : [];
};

const pathLike = /^(?:~|\.{0,2}\/|[a-z][\w+.-]*:)|\.\w{1,8}$/iu;

/** An engine that runs here opens what its functions, FROM and JOIN name: `file('x')`, `FROM 'x.csv'`. */
function opened(statement: Statement, at: number, code: Word): Effect[] {
  const [called, before] = statement.slice(Math.max(0, at - 2), at);
  const name = before?.text === "(" && called?.type === "word" ? called.text : undefined;
  const isNamed =
    name === undefined ? /^(?:FROM|JOIN)$/u.test((before ?? called)?.text ?? "") : !clause.test(name);
  const paths = textAt(statement, at, code);
  if (!isNamed || !paths.some(({ text }) => pathLike.test(text) || /FILE|READ|SCAN/u.test(name ?? "")))
    return [];
  const isTarget = /^(?:FUNCTION|INTO)$/u.test(statement[at - 3]?.text ?? "");
  return isTarget ? writesTo(paths) : paths.map((path) => ({ type: "reads", path }));
}

const clause = /^(?:WRITEFILE|IN|VALUES|AND|OR|NOT|WHERE|SELECT|WHEN|THEN|ELSE|ON|AS|INTO)$/u;

const writesTo = (paths: readonly Word[]): Effect[] =>
  paths.map((path) => ({ type: "writes", path, how: "replaces" }));

const programOf = (codes: readonly Word[], kind: SqlKind): Effect[] => [
  ...(codes.length > 0 || kind === "postgres"
    ? [danger("high", "it runs a program on the database's machine")]
    : []),
  ...codes.map((code): Effect => ({ type: "interprets", language: "shell", code, remote: true })),
];

/** `ATTACH 'file'`, `VACUUM INTO 'file'`. */
function attached(statement: Statement, at: number, code: Word): Effect[] {
  const { text } = statement[at] ?? { text: "" };
  if (text === "ATTACH")
    return [...textAt(statement, at + 1, code), ...textAt(statement, at + 2, code)].map((path) => ({
      type: "writes",
      path,
      how: "edits",
    }));
  const isVacuum = text === "INTO" && statement[0]?.text === "VACUUM";
  return isVacuum ? writesTo(textAt(statement, at + 1, code)) : [];
}

/** `COPY t TO 'file'`: in Postgres this is a file on the server, otherwise a local file. */
function copied(statement: Statement, at: number, { code, kind }: { code: Word; kind: SqlKind }): Effect[] {
  const { text } = statement[at] ?? { text: "" };
  if (statement[0]?.text !== "COPY" || (text !== "TO" && text !== "FROM")) return [];
  const files = textAt(statement, at + 1, code);
  if (files.length === 0) return [];
  if (kind === "postgres") return [danger("high", "it reaches the files of the database's machine")];
  return text === "TO" ? writesTo(files) : files.map((path) => ({ type: "reads", path }));
}
