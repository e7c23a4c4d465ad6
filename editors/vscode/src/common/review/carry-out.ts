/** Sends a session's changing commands in order; where later work is in the way, a person says how to go on. */

import type { CommandOutcome } from "../../../../../src/client.ts";
import type { OnConflict, UndoConflict } from "../../../../../src/protocol/commands.ts";
import { choicesOf } from "../../../../../src/view/review.ts";
import type { ChangingCommand, UndoRedoCommand } from "./change-commands.ts";

export type ConflictQuestion = {
  command: UndoRedoCommand;
  conflicts: readonly UndoConflict[];
  choices: readonly OnConflict[];
};

export type ChangeSender = {
  send: (command: ChangingCommand) => Promise<CommandOutcome>;
  /** `undefined`: leave everything as it is. */
  choose: (question: ConflictQuestion) => Promise<OnConflict | undefined>;
};

/** `left`: the person went no further; what came before is done. */
export type ChangesOutcome = { type: "done" } | { type: "left" } | { type: "refused"; problem: string };

/** Stops at the first command that is refused. */
export async function carryOut(
  commands: readonly ChangingCommand[],
  sender: ChangeSender,
): Promise<ChangesOutcome> {
  for (const command of commands) {
    const outcome = await carryOutOne(command, sender);
    if (outcome.type !== "done") return outcome;
  }
  return { type: "done" };
}

async function carryOutOne(command: ChangingCommand, sender: ChangeSender): Promise<ChangesOutcome> {
  const outcome = await sender.send(command);
  if (outcome.ok) return { type: "done" };
  const { problem, conflicts = [] } = outcome;
  if (conflicts.length === 0 || command.type === "keep") return { type: "refused", problem };
  const choices = waysFor(command, conflicts);
  if (choices.length === 0) return { type: "refused", problem };
  const way = await wayOf({ command, conflicts, choices }, sender);
  if (way === undefined) return { type: "left" };
  return answered(await sender.send({ ...command, onConflict: way }));
}

const answered = (outcome: CommandOutcome): ChangesOutcome =>
  outcome.ok ? { type: "done" } : { type: "refused", problem: outcome.problem };

/** Taking out a hunk's own lines loses nothing of anybody, so it needs no question. */
async function wayOf(question: ConflictQuestion, { choose }: ChangeSender): Promise<OnConflict | undefined> {
  const { command, choices } = question;
  if (isOneHunk(command) && choices.includes("merge")) return "merge";
  return choose(question);
}

const isOneHunk = (command: UndoRedoCommand): boolean =>
  command.type === "undo" && command.hunks?.length === 1;

/** To skip the only file would do nothing. */
function waysFor({ paths }: UndoRedoCommand, conflicts: readonly UndoConflict[]): OnConflict[] {
  const isAll = paths !== undefined && paths.length <= conflicts.length;
  return choicesOf(conflicts).filter((way) => way !== "skip" || !isAll);
}
