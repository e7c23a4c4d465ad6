/** Functions of the data: whom the client of a server asks, and what it is told to do there. */

import { isUnknown, literal, unknown, type Word, withText } from "../../command-line/word.ts";
import { danger, doesMore, interprets, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { fetched, filesNamed } from "../file-effect-makers.ts";
import { cutAt, isEngineSocket, nameIn, wordsIn } from "../parts.ts";
import type { Use, WordsDo } from "../program.ts";

/** The host that an option names, or the first operand that looks like one. */
const hostOf = (operands: readonly Word[], { value }: Use): Word | undefined =>
  value("h", "H", "host", "to", "t", "connect") ??
  operands.find(({ text }) => /[.:@]|^localhost$/u.test(text)) ??
  operands[0];

export const commandsEngine = danger(
  "critical",
  "it commands the container engine, which is root on this machine",
);

/** What comes in, and files, it sends there. */
function* says(to: Word | undefined, { input }: Use, files: readonly Word[] = []): Iterable<Effect> {
  const isSaid = input.isGiven && !/^(?:Q|\s*)$/u.test(input.text?.text.trim() ?? "\0");
  if (to && isEngineSocket(to)) yield commandsEngine;
  if (to) yield { type: "fetches", from: to };
  if (isSaid || files.length > 0) yield { type: "sends", to, files, input: isSaid };
}

function talks(operands: readonly Word[], use: Use): Iterable<Effect> {
  const to = hostOf(operands, use);
  const files = filesNamed(use.words).filter((word) => word !== to && /^[~/.]/u.test(word.text));
  const unnamed: Effect[] = to || use.words.length === 0 ? [] : [{ type: "fetches", from: to }, doesMore];
  return [...unnamed, ...says(to, use, files)];
}

/** Commands of a client that copies files: `put file`, `get file`, `!command`. */
function transfers(said: readonly Word[], { operands: [to], input }: Use): Effect[] {
  const lines = [...said, ...(input.text ? [input.text] : [])].flatMap((word) =>
    word.text.split(/[;\n]|&&|\|\|/u).map((line) => withText(word, line.trim())),
  );
  return lines.flatMap((line): Effect[] => {
    if (line.text.startsWith("!"))
      return [
        danger("high", "its commands start a program"),
        interprets("shell", withText(line, line.text.slice(1))),
      ];
    const [verb, ...words] = wordsIn(line);
    const names = words.filter(({ text }) => !text.startsWith("-"));
    const name = names.at(-1);
    if (!name) return [];
    return /get|recv/u.test(verb?.text ?? "")
      ? [{ type: "writes", path: nameIn(name, "."), how: "creates", content: fetched }]
      : [{ type: "sends", to, files: names }];
  });
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

/** Settings of keepers of versions that name a command or code. */
const running =
  /alias|hook|extension|pager|editor|command|cmd|tool|merge|diff|ssh|pgp|gpg|sign|program|browser/iu;

const setting = (key: Word, value: Word, severity: "high" | "critical"): Effect[] =>
  running.test(key.text)
    ? [
        danger(severity, "it sets a command or code that it runs"),
        interprets("shell", withText(value, value.text.replace(/^!/u, ""))),
      ]
    : [];

const carriesData = (word: Word): boolean =>
  word.carries.size > 0 || (isUnknown(word) && !word.text.endsWith(unknown));

export const talking: Readonly<Record<string, WordsDo>> = {
  /** What is looked up is said to whoever answers. */
  "looked up": (names) => [
    ...names.map((from): Effect => ({ type: "fetches", from })),
    ...names.filter(carriesData).map((name): Effect => ({ type: "sends", to: name, words: [name] })),
  ],
  talks,
  transfers,
  "ssh keys": sshKeys,
  "kept setting": ([key, value]) => [doesMore, ...(key && value ? setting(key, value, "critical") : [])],
  "setting once": (words) =>
    words.flatMap((word) => {
      const { before, after } = cutAt(word, "=") ?? { before: word, after: word };
      return setting(before, after, "high");
    }),
  redis: (words, { input }) => {
    const said = words.map(({ text }) => text).join(" ");
    if (words.length === 0 && !input.isGiven) return [];
    return redisReading.test(said) ? [] : [inDatabase];
  },
  "reaches host": (hosts, use) => hosts.flatMap((to) => [...says(to, use)]),
};

type End = { kind: "command" | "here" | "file" | "listens" | "elsewhere"; value: Word };

/** Options follow a command behind a comma: `EXEC:'sh -i',pty,stderr`. */
const options = /(?:,(?:pty|stderr|setsid|sigint|sane|ctty|nofork|pipes|raw|login|\w+=\w+))+$/u;

function endOf(word: Word): End {
  const { before, after } = cutAt(word, ":") ?? { before: word, after: withText(word, "") };
  const keyword = before.text.replace(/,.*$/su, "").toLowerCase();
  const value = withText(after, after.text.replace(/,.*$/su, ""));
  if (/^(?:exec|system|shell)$/u.test(keyword))
    return { kind: "command", value: withText(after, after.text.replace(options, "")) };
  if (/^(?:-|stdio|stdin|stdout|fd|pty|pipe|fifo)$/u.test(keyword)) return { kind: "here", value };
  if (/^(?:open|file|gopen|create)$/u.test(keyword)) return { kind: "file", value };
  if (keyword.includes("/")) return { kind: "file", value: before };
  return { kind: /listen|-l$|recv/u.test(keyword) ? "listens" : "elsewhere", value };
}

export function* joins(addresses: readonly Word[], { input }: Use): Iterable<Effect> {
  const ends = addresses.map(endOf);
  const files = ends.filter(({ kind }) => kind === "file").map(({ value }) => value);
  for (const { kind, value } of ends) {
    if (kind === "command") {
      yield ends.some((end) => /^(?:listens|elsewhere)$/u.test(end.kind)) ? letsOthersRun : runsAddress;
      yield interprets("shell", value);
    }
    if (kind === "listens") yield danger("high", "it waits for others to connect");
    if (isEngineSocket(value)) yield commandsEngine;
    if (kind === "elsewhere") yield { type: "fetches", from: value };
    if (kind === "elsewhere") yield { type: "sends", to: value, files, input: input.isGiven };
    if (kind === "file") yield { type: "writes", path: value, how: "edits" };
  }
}

const letsOthersRun = danger("critical", "it lets whoever is at the other end run commands here");
const runsAddress = danger("high", "its address runs a command");
