/** The effects of SQL, statement by statement: on data, on files, and through the code that it runs. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { clientCommands } from "./sql-commands.ts";
import { type SqlKind, type Statement, statementsIn } from "./sql.ts";

/** Pure queries have no effects. */
export const sqlEffects = (code: Word, kind: SqlKind): Effect[] =>
  statementsIn(code.text, kind).flatMap((statement) => effectsOf(statement, code, kind));

const hidden = danger("high", "its statements are only known when it runs");
const loses = danger("high", "it removes data or tables, or changes who may use them");
const changes = danger("medium", "it changes data in a database");
const runsCode = danger("high", "it reaches files or programs of the database's machine, or gives it code");

function effectsOf(statement: Statement, code: Word, kind: SqlKind): Effect[] {
  const [first] = statement;
  if (!first) return [];
  if (first.type === "command") return clientCommands(withText(code, first.text));
  if (first.type === "unknown") return [hidden];
  const isInserted = statement.some(({ type }) => type === "unknown");
  return [...byVerb(statement), ...(isInserted ? [changes] : []), ...filesAndCode(statement, code, kind)];
}

const asking =
  /^(?:SELECT|TABLE|VALUES|SHOW|DESC|DESCRIBE|USE|SET|BEGIN|START|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|ABORT|PRAGMA|ANALYZE|HELP|CHECK|VACUUM|REINDEX|OPTIMIZE|FETCH|DECLARE|CLOSE|LISTEN|UNLISTEN|DISCARD|RESET|PRINT|GO|STATUS|CHECKPOINT|DETACH|CONSISTENCY|EXIT|QUIT|TIMING|EXPAND|DEALLOCATE|LOCK|UNLOCK|SUMMARIZE|FROM|PIVOT|LIST|EXISTS|MATCH|RETURN|WITH|EXPLAIN)$/u;
const losing =
  /^(?:DROP|TRUNCATE|ALTER|GRANT|REVOKE|REASSIGN|RENAME|PURGE|KILL|SHUTDOWN|DENY|SYSTEM|UNDROP|DO|CALL|EXEC|EXECUTE|INSTALL|SECURITY)$/u;
const codeMade =
  /^(?:EXTENSION|FUNCTION|PROCEDURE|TRIGGER|USER|ROLE|LANGUAGE|SERVER|SUBSCRIPTION|EVENT|ASSEMBLY|LOGIN|SECRET)$/u;
const isData = ({ text }: { text: string }): boolean => /^(?:DATA|XML|INTO|INPATH)$/u.test(text);

function byVerb(statement: Statement): Effect[] {
  const verb =
    statement.find(({ type, text }) => type === "word" || (type === "sign" && text !== "("))?.text ?? "";
  const isOnlyExplained = verb === "EXPLAIN" && !statement.slice(0, 6).some(({ text }) => text === "ANALYZE");
  if (isOnlyExplained) return [];
  if (losing.test(verb) || (verb === "LOAD" && !statement.some(isData))) return [loses];
  if (verb === "CREATE" && statement.slice(0, 6).some(({ text }) => codeMade.test(text))) return [runsCode];
  const starts = [...statement.keys()].filter((at) => beginsChange(statement, at));
  if (starts.slice(0, mostInner).some((at) => isWhole(statement.slice(at))) || starts.length > mostInner)
    return [loses];
  return asking.test(verb) && starts.length === 0 ? [] : [changes];
}

const mostInner = 50;

/** Also within a statement: `WITH gone AS (DELETE …)`, and what EXPLAIN ANALYZE runs. */
function beginsChange(statement: Statement, at: number): boolean {
  const { type, text } = statement[at] ?? { type: "sign", text: "" };
  const isVerb = type === "word" && /^(?:UPDATE|DELETE|INSERT|MERGE)$/u.test(text);
  return isVerb && !/^(?:FOR|ON|DO|OF|\.)$/u.test(statement[at - 1]?.text ?? "");
}

/** Whether an UPDATE or DELETE affects every row: it has no condition of its own, or one that is always true. */
function isWhole([verb, ...rest]: Statement): boolean {
  if (verb?.text !== "UPDATE" && verb?.text !== "DELETE") return false;
  let depth = 0;
  for (const [at, { type, text }] of rest.entries()) {
    if (type === "sign" && text === "(") depth += 1;
    if (type === "sign" && text === ")") depth -= 1;
    if (depth < 0) return true;
    if (depth === 0 && type === "word" && text === "WHERE") return alwaysTrue(rest.slice(at + 1));
  }
  return true;
}

const alwaysTrue = (condition: Statement): boolean =>
  condition.length < 8 &&
  /^(?:TRUE|1|(?<same>\d+|'\w*')=\k<same>|NOTFALSE)?$/u.test(
    condition.map(({ type, text }) => (type === "text" ? `'${text}'` : text)).join(""),
  );

const codeFunctions =
  /^(?:LOAD_EXTENSION|SYS_EXEC|SYS_EVAL|PG_READ_FILE|PG_READ_BINARY_FILE|PG_LS_DIR|LO_EXPORT|LO_IMPORT|DBLINK|DBLINK_EXEC|PG_TERMINATE_BACKEND|PG_RELOAD_CONF|QUERY_TO_XML|FTS3_TOKENIZER|OPENROWSET|LOAD_FILE|UTL_HTTP|UTL_FILE|DBMS_SCHEDULER|EDIT|SHELL|URL|EXECUTABLE)$/u;
const writing = /^(?:OUTFILE|DUMPFILE|TO|INTO|ATTACH|DATABASE|WRITEFILE)$/u;
const reading = /^(?:INFILE|FROM|JOIN)$|FILE|READ|SCAN|CSV|PARQUET|JSON|GLOB/u;
const pathLike = /^(?:~|\.{0,2}\/|[a-z][\w+.-]*:)|\.\w{1,8}$/iu;

/** What texts and functions name: `COPY … TO PROGRAM 'x'`, `INTO OUTFILE 'x'`, `read_csv('x')`. */
function filesAndCode(statement: Statement, code: Word, kind: SqlKind): Effect[] {
  return statement.flatMap((token, at): Effect[] => {
    if (token.type === "word") {
      const isCalled = statement[at + 1]?.text === "(" && codeFunctions.test(token.text);
      const isFile = /^(?:OUTFILE|DUMPFILE)$|^XP_CMDSHELL$|^SP_OA/u.test(token.text);
      return isCalled || isFile || (token.text === "PROGRAM" && kind === "postgres") ? [runsCode] : [];
    }
    if (token.type !== "text") return [];
    const words = statement.slice(Math.max(0, at - 3), at).filter(({ type }) => type === "word");
    const before = words.at(-1)?.text ?? "";
    const path = withText(code, token.text);
    if (before === "PROGRAM") return [{ type: "interprets", language: "shell", code: path, remote: true }];
    // A server's files are not those of this machine.
    if (kind === "postgres")
      return statement[0]?.text === "COPY" && /^(?:TO|FROM)$/u.test(before) ? [runsCode] : [];
    if (!pathLike.test(token.text)) return [];
    if (writing.test(before) || words[0]?.text === "FUNCTION")
      return [{ type: "writes", path, how: "edits" }];
    const isOpened = kind !== "mysql" && statement[at - 1]?.text === "(" && !/^(?:VALUES|IN)$/u.test(before);
    return reading.test(before) || (isOpened && token.text.includes("://")) ? [{ type: "reads", path }] : [];
  });
}
