/** Starts or checks the session's git branch before a turn changes its first file. */

import type { GitPlace } from "../base/git-run.ts";
import type { Branching } from "../configuration/options/option-choices.ts";
import type { Fact } from "../protocol/facts.ts";
import type { SessionState } from "../protocol/session-state.ts";
import { currentBranch, startBranch } from "../session/git-branch.ts";

/** Call before each change; only the first call of a step does any work. */
export function branchKeeper(
  branching: Branching,
  place: GitPlace,
  state: SessionState,
): () => Promise<Fact[]> {
  let asked: Promise<Fact[]> | undefined;
  return async () => {
    if (asked) return asked.then(() => []);
    asked = branchFacts(branching, place, state);
    return asked;
  };
}

async function branchFacts(branching: Branching, place: GitPlace, state: SessionState): Promise<Fact[]> {
  if (state.branch) return elsewhere(state.branch.name, place, state);
  if (branching === "off" || state.warned.has(noBranch)) return [];
  const started = await startBranch(place, state);
  if (!started) return [];
  if (started.ok) return [started.value];
  const text = `The session has no branch of its own: ${started.problem}. Its changes are made where you are.`;
  return [{ type: "warning", code: noBranch, text }];
}

/** A person who checked out another branch meant it: warn once, never switch back. */
async function elsewhere(name: string, place: GitPlace, { warned }: SessionState): Promise<Fact[]> {
  if (warned.has(otherBranch)) return [];
  const now = await currentBranch(place);
  if (now === name) return [];
  const where = now === undefined ? "no branch is checked out" : `${now} is checked out`;
  const text = `This session worked on the branch ${name}, but ${where} now: changes are made there. \`git switch ${name}\` goes back.`;
  return [{ type: "warning", code: otherBranch, text }];
}

const noBranch = "no-branch";
const otherBranch = "other-branch";
