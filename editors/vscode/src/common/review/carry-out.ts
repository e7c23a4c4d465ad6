/** Sends a session's changing commands in order; where later work is in the way, a person says how to go on. */

import type { CommandOutcome } from "../../../../../src/client.ts";
import type { OnConflict, UndoConflict } from "../../../../../src/protocol/commands.ts";
import { choicesOf } from "../../../../../src/view/review.ts";
import type { DecisionCommand, UndoOrRedo } from "./change-commands.ts";

export type ConflictQuestion = {
  command: UndoOrRedo;
  conflicts: readonly UndoConflict[];
  choices: readonly OnConflict[];
};

export type ChangeSender = {
  send: (command: DecisionCommand) => Promise<CommandOutcome>;
  /** `undefined`: leave everything as it is. */
  choose: (question: ConflictQuestion) => Promise<OnConflict | undefined>;
};

/**
 * `left`: the person went no further; what came before is done. `touched`: later work touches the hunk, so the session
 * cannot take it out alone.
 */
export type ChangesOutcome =
  | { type: "done" }
  | { type: "left" }
  | { type: "touched" }
  | { type: "refused"; problem: string };

/** Stops at the first command that is refused. */
export async function carryOut(
  commands: readonly DecisionCommand[],
  sender: ChangeSender,
): Promise<ChangesOutcome> {
  for (const command of commands) {
    const outcome = await carryOutOne(command, sender);
    if (outcome.type !== "done") return outcome;
  }
  return { type: "done" };
}

async function carryOutOne(command: DecisionCommand, sender: ChangeSender): Promise<ChangesOutcome> {
  const outcome = await sender.send(command);
  if (outcome.ok) return { type: "done" };
  const { problem, conflicts = [] } = outcome;
  if (conflicts.length === 0 || command.type === "keep") return { type: "refused", problem };
  const choices = waysFor(command, conflicts);
  if (isOneHunk(command)) {
    const isApart = choices.includes("merge");
    return isApart ? outcomeOf(await sender.send({ ...command, onConflict: "merge" })) : { type: "touched" };
  }
  if (choices.length === 0) return { type: "refused", problem };
  const way = await sender.choose({ command, conflicts, choices });
  if (way === undefined) return { type: "left" };
  return outcomeOf(await sender.send({ ...command, onConflict: way }));
}

const outcomeOf = (outcome: CommandOutcome): ChangesOutcome =>
  outcome.ok ? { type: "done" } : { type: "refused", problem: outcome.problem };

/** To take out its own lines loses nothing of anybody, and needs no question; to restore the file for it would. */
const isOneHunk = (command: UndoOrRedo): boolean => command.type === "undo" && command.hunks?.length === 1;

/** To skip the only file would do nothing. */
function waysFor({ paths }: UndoOrRedo, conflicts: readonly UndoConflict[]): OnConflict[] {
  const isAll = paths !== undefined && paths.length <= conflicts.length;
  return choicesOf(conflicts).filter((way) => way !== "skip" || !isAll);
}
