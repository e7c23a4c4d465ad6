/** Programs that stop or inspect other processes. */

import { unknown, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type Program, program, type Use } from "../program.ts";

const everything = danger("critical", "it stops every process that it may");
const byName = danger("high", "it stops every process that matches, also others' than its own");
const byForce = danger("high", "it stops a process by force, which cannot save what it works on");

export const processes: readonly Program[] = [
  program("kill", killed),
  program("pkill skill", matched, {
    options: {
      short: "gGPstuUFcn",
      long: namesIn("signal pgroup group parent session terminal euid uid pidfile ns queue"),
      known: ["full", "newest", "oldest", "exact", "inverse", "list-name", "echo", "count", "ignore-case"],
    },
  }),
  program("killall", namedProcesses, {
    options: { short: "suyonZ", long: ["signal", "user", "younger-than", "older-than", "ns", "context"] },
  }),
  program("xkill", () => [byName]),
];

type Signal = { signal: string | undefined; targets: readonly Word[]; isAsking: boolean };

/** `kill [-s signal | -signal] pid …`, `kill -l`. After the signal, `-1` means every process. */
function* killed({ words }: Use): Iterable<Effect> {
  const { signal, targets, isAsking } = signalOf(words);
  if (isAsking || targets.length === 0 || signal === "0") return;
  if (targets.every(isOwn)) yield { type: "handles-own-processes" };
  if (targets.some(({ text }) => text === "-1")) yield everything;
  else if (targets.some(({ text }) => text === "1"))
    yield danger("critical", "it stops the process that holds the whole system");
  else if (signal !== undefined && /^(?:9|(?:SIG)?KILL)$/iu.test(signal)) yield byForce;
  else if (signal !== undefined && isOpaque(signal)) yield byForce;
  else if (targets.some(({ text }) => /^-\d/u.test(text)))
    yield danger("high", "it stops a whole group of processes");
  else if (!targets.every(isOwn)) yield danger("medium", "it stops a process");
}

/** The shell's own jobs (`%1`), its own process group, and processes started by the command line (`$!`). */
const isOwn = ({ text, carries }: Word): boolean =>
  /^(?:0|%[\d+%-]*)$/u.test(text) ||
  (/^-?\0$/u.test(text) && carries.size === 1 && carries.has("own-process"));

const isOpaque = (text: string): boolean => text.includes(unknown);

function signalOf(words: readonly Word[]): Signal {
  const [first, ...rest] = words;
  if (first === undefined) return { signal: undefined, targets: [], isAsking: true };
  if (/^(?:-[lLp]|--list.*|--table|--help|--version|--pid)$/u.test(first.text))
    return { signal: undefined, targets: [], isAsking: true };
  if (/^(?:-[sn]|--signal)$/u.test(first.text))
    return { signal: rest[0]?.text, targets: withoutEnd(rest.slice(1)), isAsking: false };
  const given = /^(?:--signal=|-[sn]?)(.+)$/u.exec(first.text)?.[1];
  if (given === undefined || first.text === "--")
    return { signal: undefined, targets: withoutEnd(words), isAsking: false };
  return { signal: given, targets: withoutEnd(rest), isAsking: false };
}

const withoutEnd = (words: readonly Word[]): Word[] => words.filter(({ text }) => text !== "--");

function* matched(use: Use): Iterable<Effect> {
  const { operands, has, values } = use;
  if (has("help", "version", "0") || values("signal").some(({ text }) => text === "0")) return;
  const users = values("u", "U", "euid", "uid", "g", "pgroup", "s", "session", "t", "terminal");
  const isEverything = operands.some(({ text }) => /^\^?(?:|\.[*+]?|.?\*)\$?$/u.test(text));
  if (isEverything || (operands.length === 0 && users.length > 0) || has("v", "inverse")) yield everything;
  else if (operands.length > 0 || users.length > 0 || has("P", "F", "pidfile", "parent")) yield byName;
}

function* namedProcesses({ operands, has, value }: Use): Iterable<Effect> {
  if (has("l", "list", "0", "help", "version")) return;
  if (operands.length === 0 && value("u", "user")) yield everything;
  else if (has("r", "regexp") && operands.some(({ text }) => /^\^?\.?[*+]?\$?$/u.test(text)))
    yield everything;
  else if (operands.length > 0) yield byName;
}

/** `fuser -k 3000/tcp`; with `-m`, every process that uses a file system. */
