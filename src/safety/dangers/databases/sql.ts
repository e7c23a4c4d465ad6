/** Splits SQL into statements and words, as far as judging each one requires. */

export type SqlKind = "postgres" | "mysql" | "sqlite" | "other";

type SqlToken = {
  readonly type: "word" | "text" | "sign" | "command";
  /** Words are in upper case; strings lack their quotes; client commands (`\!`, `.shell`) are unchanged. */
  readonly text: string;
};

export type Statement = readonly SqlToken[];

/** The statements in order. A line with a client command is a statement of its own. Never throws. */
export function statementsIn(text: string, kind: SqlKind): Statement[] {
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
