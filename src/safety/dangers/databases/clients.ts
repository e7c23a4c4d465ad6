/** Functions of `databases.yaml`: the statements that clients of databases are given. */

import { isUnknown, type Word } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { interpretsInput } from "../interpreting.ts";
import type { Use, WordsDo } from "../program.ts";
import { type SqlKind, sqlEffects } from "./sql.ts";

function kindOf(name: string): SqlKind {
  if (/^(?:psql|pgcli|ysqlsh)/u.test(name)) return "postgres";
  if (/^my|^maria/u.test(name)) return "mysql";
  return /sql|lite/u.test(name) ? "sqlite" : "other";
}

const isMongo = (name: string): boolean => name.startsWith("mongo");

const statements = (codes: readonly Word[], { name }: Use): Effect[] =>
  codes.flatMap((code) => (isMongo(name) ? mongoEffects(code) : sqlEffects(code, kindOf(name))));

const mongoChanging =
  /\.(?:drop|remove|delete|insert|update|replace|save|bulkWrite|findOneAnd|rename|create|grant|initiate|reconfig|shutdown|kill|adminCommand|runCommand|mapReduce)|\$(?:out|merge|where)|\b(?:load|run|runProgram|require|process|eval|Function|cat|writeFile|removeFile)\b/u;

/** Its statements are JavaScript. */
const mongoEffects = (code: Word): Effect[] =>
  isUnknown(code) || mongoChanging.test(code.text)
    ? [danger("high", "it changes data in a database"), interprets("javascript", code)]
    : [];

const statementsOfFiles = (files: readonly Word[], { name }: Use): Effect[] =>
  files
    .filter(({ text }) => text !== "-" && text !== "/dev/null")
    .flatMap((path) => [
      loads(path, isMongo(name) ? "javascript" : "other"),
      danger("medium", "it runs the statements of a file"),
    ]);

const scriptName = /\.(?:[cm]?js|mongodb)$/u;

export function statementsOfInput(use: Use): Effect[] {
  const { text, flows, isGiven } = use.input;
  if (!isGiven) return [];
  if (text) return statements([text], use);
  return [
    ...(isMongo(use.name) ? [interpretsInput("javascript")] : []),
    flows.has("network") || flows.has("decoded")
      ? danger("high", "it runs statements that nobody has seen")
      : danger("medium", "it runs the statements of its input"),
  ];
}

export const databaseClients: Readonly<Record<string, WordsDo>> = {
  statements,
  "statements or its input": (codes, use) =>
    codes.length > 0 ? statements(codes, use) : statementsOfInput(use),
  "statements of files": statementsOfFiles,
  "statements of scripts": (words, use) =>
    statementsOfFiles(
      words.filter(({ text }) => scriptName.test(text)),
      use,
    ),
  "statements of its input": (_, use) =>
    use.has("c", "command", "e", "execute", "eval") ||
    use.values("f", "file").some(({ text }) => text !== "-")
      ? []
      : statementsOfInput(use),
  /** A host is reached over the network, a directory is that of a socket. */
  "asks a host": (hosts) =>
    hosts
      .filter(({ text }) => !text.startsWith("/") && text !== "")
      .map((from) => ({ type: "fetches", from })),
  "command in settings": (settings) =>
    settings.some(({ text }) => text.includes("`")) ? [danger("high", "its settings run a command")] : [],
  "asks an address": (words) =>
    words.filter(({ text }) => text.includes("://")).map((from) => ({ type: "fetches", from })),
  /** A file, and statements about it. */
  "local database": ([file, ...codes], use) => {
    const given = [...use.values("cmd", "c", "s"), ...codes];
    const effects = [
      ...statements(given, use),
      ...(given.length > use.values("cmd").length ? [] : statementsOfInput(use)),
    ];
    if (!file || /^(?::memory:)?$/u.test(file.text)) return effects;
    const isChanged = effects.some(({ type }) => type === "danger" || type === "interprets");
    return [
      ...effects,
      isChanged && !use.has("readonly")
        ? { type: "writes", path: file, how: "edits" }
        : { type: "reads", path: file },
    ];
  },
};
