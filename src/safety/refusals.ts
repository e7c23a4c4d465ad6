/** What the sandbox refused a command, in words for people and models, and what would have to be given to it. */

import { dirname } from "node:path/posix";
import type { SandboxRefusal } from "../protocol/facts.ts";
import { otherProcesses } from "../protocol/outside.ts";

/** What was refused of one kind, and to what: "a connection to" "registry.example:443". */
type RefusalWords = { one: string; more: string; to: string };

function wordsOf(refusal: SandboxRefusal): RefusalWords {
  switch (refusal.wanted) {
    case "host":
      if (refusal.port === undefined)
        return { one: "the address of", more: "the addresses of", to: refusal.host };
      if (refusal.port === namePort)
        return {
          one: "a connection to the name server",
          more: "connections to the name servers",
          to: refusal.host,
        };
      return { one: "a connection to", more: "connections to", to: `${refusal.host}:${refusal.port}` };
    case "service":
      return {
        one: "a connection to this machine's",
        more: "connections to this machine's",
        to: plainly(refusal.at),
      };
    case "write":
      return { one: "a change to", more: "changes to", to: plainly(refusal.path) };
    case "secret":
      return { one: "a look into", more: "a look into", to: plainly(refusal.path) };
    case "process": {
      const name = refusal.name === undefined ? "" : ` (${plainly(refusal.name)})`;
      return { one: "a signal to process", more: "signals to processes", to: `${refusal.pid}${name}` };
    }
    case "room": {
      const one = "holding what it changed";
      return { one, more: one, to: `(${refusal.what}) until somebody agrees` };
    }
    default:
      return refusal satisfies never;
  }
}

/** The command chose the names: none of them may be read as more words of this sentence. */
const plainly = (path: string): string =>
  /^[\p{L}\p{M}\p{N}/._@+~:=[\]-]*$/u.test(path)
    ? path
    : JSON.stringify(path).replaceAll(
        /[\p{C}\p{Zl}\p{Zp}]/gu,
        (odd) => `\\u{${odd.codePointAt(0)?.toString(16) ?? ""}}`,
      );

const namePort = 53;

/** The first ones; a program may try hundreds. "connections to a.example:443, b.example:443, and a change of /opt/x" */
export function refusalsInWords(refused: readonly SandboxRefusal[]): string {
  const kinds = new Map<string, RefusalWords & { names: string[] }>();
  const all = [...new Map(refused.map(wordsOf).map((words) => [`${words.one} ${words.to}`, words])).values()];
  for (const words of all.slice(0, mostTold)) {
    const known = kinds.get(words.one) ?? { ...words, names: [] };
    known.names.push(words.to);
    kinds.set(words.one, known);
  }
  const told = [...kinds.values()].map(
    ({ one, more, names }) => `${names.length > 1 ? more : one} ${names.join(", ")}`,
  );
  const more = all.length > mostTold ? [`${all.length - mostTold} more`] : [];
  return [...told, ...more].join(", and ");
}

const mostTold = 6;

/** What a second run would be given, in the form of `readOutside`; empty if nothing that can be given would help. */
function outsideFor(refused: readonly SandboxRefusal[]): string[] {
  const wanted = refused.flatMap((refusal): string[] => {
    switch (refusal.wanted) {
      case "host":
        if (refusal.port === namePort) return [];
        return [refusal.port === undefined ? refusal.host : `${refusal.host}:${refusal.port}`];
      case "service":
        return [refusal.at];
      case "write":
        // A repository is written by git commands of their own, and given to nobody else.
        return /\/\.git(?:\/|$)/u.test(refusal.path) ? [] : [dirname(refusal.path)];
      case "process":
        return [otherProcesses];
      case "secret":
      case "room":
        return [];
      default:
        return refusal satisfies never;
    }
  });
  // A name that was looked up and then connected to is one thing.
  const hosts = new Set(
    wanted.map((word) => word.replace(/:\d+$/u, "")).filter((word, at) => word !== wanted[at]),
  );
  return [...new Set(wanted.filter((word) => !hosts.has(word)))];
}

/** For the model, of a contained command that ends what matches: nothing outside did. `line`: as passed to the shell. */
export const unseenProcesses = (line: string): string[] =>
  /(?:^|[;&|(\n]|\b(?:do|then|else)\b)\s*(?:\S*\/)?(?:pkill|killall|skill)\s/u.test(line)
    ? [
        `In the sandbox it saw no processes but its own, and ended none outside. If one outside is meant, run the same command once more with outside: ${JSON.stringify([otherProcesses])}; the user is asked.`,
      ]
    : [];

/** For the model, when a contained command has failed. `mayGive`: whether a command is ever given that directory. */
export function refusedHint(
  refused: readonly SandboxRefusal[],
  mayGive: (directory: string) => boolean = () => true,
): string {
  const wanted = outsideFor(refused);
  const never = wanted.filter(
    (words) => words.startsWith("/") && !refused.some(isAt(words)) && !mayGive(words),
  );
  const given = wanted.filter((words) => !never.includes(words)).slice(0, mostTold);
  return [
    `The sandbox refused it ${refusalsInWords(refused)}.`,
    ...(never.length === 0
      ? []
      : [`No command is given ${never.slice(0, mostTold).map(plainly).join(", ")}.`]),
    ...(given.length === 0
      ? []
      : [
          `If it needs that, run the same command once more with outside: ${JSON.stringify(given)}; the user is asked.`,
        ]),
  ].join(" ");
}

/** A socket by its path, and no directory. */
const isAt =
  (words: string) =>
  (refusal: SandboxRefusal): boolean =>
    refusal.wanted === "service" && refusal.at === words;
