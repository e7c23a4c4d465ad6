/** What bash ran and the judgement of the script did not say. */

import { judgeCommand } from "../../src/safety/judge.ts";
import { around } from "../../src/safety/testing/around.ts";
import { type Executed, type Outcome, runInBash } from "./bash.ts";

type Seen = {
  readonly removals: number;
  /** Removals in scripts that are not asked about in any case. */
  readonly trusted: number;
  readonly missed: readonly Executed[];
};

/** A line that is judged `high` is asked about with its whole text: nothing in it is silent. */
export function look(script: string, outcome: Outcome): Seen {
  const removals = (outcome ?? []).filter(([name]) => name === "rm");
  if (removals.length === 0) return { removals: 0, trusted: 0, missed: [] };
  const { severity, parts } = judgeCommand(script, around);
  if (severity === "high" || severity === "critical")
    return { removals: removals.length, trusted: 0, missed: [] };
  const missed = removals.filter(
    (executed) => !parts.some(({ argv, words }) => names(argv?.join(" ") ?? words, executed)),
  );
  return { removals: removals.length, trusted: removals.length, missed };
}

/** Whether a part tells of the program and of all its words that are nothing special; "…" may be any. */
function names(part: string, [program = "", ...words]: Executed): boolean {
  const told = part.split(/\s+/u);
  const isOpen = part.includes("…");
  // What the surroundings of the run gave it, no judgement can know: descriptors, its PATH.
  const plain = words.filter((word) => /^(?!\/dev\/fd\/|.*toolwright-bash)[\w./-]+$/u.test(word));
  // A shell looks for the file of that name in PATH as well, and here that is a script.
  if (/^(?:ba)?sh$/u.test(told[0] ?? "") && told.includes(program)) return true;
  const isAssigned = /^\w+(?:\[.*\])?\+?=/su.test(part);
  return (
    (isAssigned ? told.includes(program) : told[0] === program) &&
    (isOpen || plain.every((word) => told.includes(word)))
  );
}

/** The script with as much left out as it can lose and still be missed, as far as the time goes. */
export async function shrunk(script: string): Promise<string> {
  let best = script;
  const end = Date.now() + shrinkingTime;
  for (let size = Math.ceil(best.length / 2); size >= 1 && Date.now() < end; size = Math.floor(size / 2)) {
    for (let found = true; found;) {
      const shorter = withoutPieces(best, size);
      const outcomes = await runInBash(shorter);
      const next = shorter.find((one, at) => look(one, outcomes[at]).missed.length > 0);
      found = next !== undefined && Date.now() < end;
      best = next ?? best;
    }
  }
  return best;
}

const shrinkingTime = 20_000;

function withoutPieces(text: string, size: number): string[] {
  const starts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => at * size);
  return starts.map((start) => text.slice(0, start) + text.slice(start + size));
}
