/** Functions of the data: whom the client of a server asks, and what it is told to do there. */

import { isUnknown, literal, unknown, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { sqlEffects } from "../databases/sql-effects.ts";
import { danger, interprets, loads, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { fetched } from "../elsewhere/fetched.ts";
import { filesNamed } from "../elsewhere/sent.ts";
import { isEngineSocket, isThisMachine, nameIn, wordsIn } from "../parts.ts";
import type { Use } from "../program.ts";

/** The host that an option names, or the first operand that looks like one. */
const hostOf = (operands: readonly Word[], { value }: Use): Word | undefined =>
  value("h", "H", "host", "to", "t", "connect") ??
  operands.find(({ text }) => /[.:@]|^localhost$/u.test(text)) ??
  operands[0];

/** Whom it asks; what comes in, and files that its words name, it sends there. */
function* talks(operands: readonly Word[], use: Use): Iterable<Effect> {
  const to = hostOf(operands, use);
  const { input } = use;
  if (!to) return;
  if (isEngineSocket(to))
    yield danger("critical", "it commands the container engine, which is root on this machine");
  yield { type: "fetches", from: to };
  const files = filesNamed(use.words).filter((word) => word !== to && /^[~/.]/u.test(word.text));
  const isSent = files.length > 0 || (input.isGiven && input.text?.text.trim() !== "");
  yield* reads(files);
  if (isSent) yield { type: "sends", to, files, input: input.isGiven };
}

/** Commands of a client that copies files: `put file`, `get file`, `!command`. */
function* transfers(commands: Word, to: Word | undefined): Iterable<Effect> {
  for (const line of commands.text.split(/[;\n]|&&|\|\|/u)) {
    const [verb, ...words] = wordsIn(withText(commands, line));
    const names = words.filter(({ text }) => !text.startsWith("-"));
    if (verb?.text.startsWith("!"))
      yield* [
        danger("high", "its commands start a program"),
        interprets("shell", withText(commands, line.trim().slice(1))),
      ];
    else if (/get|recv/u.test(verb?.text ?? ""))
      yield* names
        .slice(-1)
        .map(
          (name) => ({ type: "writes", path: nameIn(name, "."), how: "creates", content: fetched }) as const,
        );
    else if (names.length > 0)
      yield* [...reads(filesNamed(names)), { type: "sends", to, files: names } as const];
  }
}

/** ssh-keygen writes a pair of keys, unless an option has it look at one. */
function sshKeys(_: unknown, { value, has, around }: Use): Effect[] {
  const file = value("f") ?? literal(`${around.home}/.ssh/id_ed25519`);
  const looks = has("l", "F", "B", "L", "y", "Q", "e", "i", "H", "r", "D");
  return looks ? reads(value("f") ? [file] : []) : replaces([file, withText(file, `${file.text}.pub`)]);
}

const redisReading =
  /^(?:ping|info|dbsize|keys|scan|type|exists|p?ttl|m?get|getrange|strlen|h(?:get|mget|getall|keys|vals|len|exists|scan)|l(?:len|range|index)|s(?:members|card|ismember|scan)|z(?:range\w*|card|score|rank|count|scan)|x(?:len|range|info)|config get|client list)\b/iu;

const inDatabase = danger("high", "it changes data in a database");

const mongoChanging =
  /\.(?:drop|remove|delete|insert|update|replace|save|bulkWrite|findOneAnd|rename|create|grant|initiate|reconfig|shutdown|kill|adminCommand|runCommand|mapReduce)|\$(?:out|merge|where)|\b(?:load|run|runProgram|require|process|eval|Function|cat|writeFile|removeFile)\b/u;

const carriesData = (word: Word): boolean =>
  word.carries.size > 0 || (isUnknown(word) && !word.text.endsWith(unknown));

export const talking: Readonly<Record<string, WordsDo>> = {
  /** What is looked up is said to whoever answers. */
  "looked up": (names) => [
    ...names.map((from): Effect => ({ type: "fetches", from })),
    ...names.filter(carriesData).map((name): Effect => ({ type: "sends", to: name, words: [name] })),
  ],
  talks,
  transfers: (words, { operands: [to] }) => words.flatMap((word) => [...transfers(word, to)]),
  "transfers of the input": ([to], { input }) =>
    input.text
      ? [...transfers(input.text, to)]
      : input.isGiven
        ? [danger("high", "its commands come in")]
        : [],
  "ssh keys": sshKeys,
  sql: (words) => words.flatMap((code) => sqlEffects(code, "other")),
  "sql of the input": (_, { input }) =>
    input.text ? sqlEffects(input.text, "other") : input.isGiven ? [inDatabase] : [],
  redis: (words, { input }) => {
    const said = words.map(({ text }) => text).join(" ");
    if (words.length === 0 && !input.isGiven) return [];
    return redisReading.test(said) ? [] : [inDatabase];
  },
  /** An address, scripts, or commands that come in. */
  "mongo clients": (words, { input, has }) => [
    ...words.filter(({ text }) => text.includes("://")).map((from): Effect => ({ type: "fetches", from })),
    ...words.filter(({ text }) => text.endsWith(".js")).map((path) => loads(path, "javascript")),
    ...(input.isGiven && !has("eval") ? [inDatabase] : []),
  ],
  mongo: (words) =>
    words.flatMap((code) =>
      isUnknown(code) || mongoChanging.test(code.text) ? [inDatabase, interprets("javascript", code)] : [],
    ),
  "reaches host": (hosts, use) =>
    hosts.flatMap((to): Effect[] =>
      isThisMachine(to)
        ? [{ type: "fetches", from: to }]
        : [
            { type: "fetches", from: to },
            ...(use.input.isGiven ? [{ type: "sends", to, input: true } as const] : []),
          ],
    ),
};
