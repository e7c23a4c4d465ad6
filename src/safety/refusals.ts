/** What the sandbox refused a command, in words for people and models, and what would have to be given to it. */

import { dirname } from "node:path/posix";
import type { SandboxRefusal } from "../protocol/facts.ts";
import { otherProcesses } from "../protocol/outside.ts";

/** "a connection to registry.example:443" */
function refusalInWords(refusal: SandboxRefusal): string {
  switch (refusal.wanted) {
    case "host":
      if (refusal.port === undefined) return `the address of ${refusal.host}`;
      if (refusal.port === namePort) return `a name server (${refusal.host})`;
      return `a connection to ${refusal.host}:${refusal.port}`;
    case "service":
      return `a connection to ${plainly(refusal.at)}, which is not in the sandbox`;
    case "write":
      return `changing ${plainly(refusal.path)}`;
    case "secret":
      return `reading ${plainly(refusal.path)}`;
    case "process":
      return `a signal to process ${refusal.pid}`;
    case "room":
      return `holding what it changed (${refusal.what}) until somebody agrees`;
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

/** The first ones; a program may try hundreds. */
export function refusalsInWords(refused: readonly SandboxRefusal[]): string {
  const told = [...new Set(refused.map(refusalInWords))];
  const more = told.length > mostTold ? ` and ${told.length - mostTold} more` : "";
  return told.slice(0, mostTold).join(", ") + more;
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

/** For the model, when a contained command has failed. */
export function refusedHint(refused: readonly SandboxRefusal[]): string {
  const wanted = outsideFor(refused).slice(0, mostTold);
  const step =
    wanted.length === 0
      ? ""
      : ` If it needs that, run the same command once more with outside: ${JSON.stringify(wanted)}; the user is asked.`;
  return `The sandbox refused it ${refusalsInWords(refused)}.${step}`;
}
