/** What bash ran and the judgement of the script did not say. */
import { judgeCommand } from "../../src/safety/judge.ts";
import { type Executed, type Outcome, runInBash } from "./bash.ts";

export const around = { home: "/home/dev", workspace: "/home/dev/proj", directory: "/home/dev/proj" };

export type Seen = {
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
  const isNamed = (executed: Executed): boolean =>
    parts.some(({ argv, words }) => couldBe(argv?.join(" ") ?? words, executed.join(" ")));
  const missed = removals.filter((executed) => !isNamed(executed));
  return { removals: removals.length, trusted: removals.length, missed };
}

/** "…" stands for what only the run tells; assignments in front are no words of the program. */
function couldBe(words: string, executed: string): boolean {
  const shown = words.split(" ");
  const isPrefixed = /^\w+(?:\[.*\])?\+?=/su.test(words);
  return shown.some((_, at) => (at === 0 || isPrefixed) && fits(shown.slice(at).join(" "), executed));
}

function fits(words: string, executed: string): boolean {
  const pieces = words.split("…").map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&"));
  return new RegExp(`^${pieces.join(".*")}$`, "su").test(executed);
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
