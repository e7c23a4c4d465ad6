/** Undo, redo and keep: sends the commands, and repeats them with a choice if later work is in the way. */

import { useSignal } from "@preact/signals";
import type { Command, OnConflict, UndoConflict } from "../../protocol/commands.ts";
import type { CommandSender } from "../contract.ts";

type UndoRedoCommand = Extract<Command, { type: "undo" | "redo" }>;
type ChangingCommand = UndoRedoCommand | Extract<Command, { type: "keep" }>;

/** `first` has changed nothing yet; it can be repeated with a choice, followed by the `rest`. */
export type InTheWay = {
  first: UndoRedoCommand;
  rest: readonly ChangingCommand[];
  conflicts: readonly UndoConflict[];
};

export type ChangeCommands = {
  busy: boolean;
  problem: string | undefined;
  inTheWay: InTheWay | undefined;
  /** Sends the commands in order, until one is refused. */
  ask(...commands: readonly ChangingCommand[]): Promise<void>;
  choose(way: OnConflict): Promise<void>;
  leave(): void;
};

/** `done` is called after any change. */
export function useChanging(ask: CommandSender, done: () => void): ChangeCommands {
  const busy = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const inTheWay = useSignal<InTheWay | undefined>(undefined);

  const all = async (commands: readonly ChangingCommand[]): Promise<void> => {
    if (busy.peek()) return;
    busy.value = true;
    problem.value = undefined;
    inTheWay.value = undefined;
    const isDone = await inOrder(commands);
    busy.value = false;
    if (isDone) done();
  };

  const inOrder = async ([command, ...rest]: readonly ChangingCommand[]): Promise<boolean> => {
    if (!command) return true;
    const outcome = await ask(command);
    if (outcome.ok) return inOrder(rest);
    const { conflicts = [] } = outcome;
    if (conflicts.length > 0 && command.type !== "keep") inTheWay.value = { first: command, rest, conflicts };
    else problem.value = outcome.problem;
    return false;
  };

  return {
    busy: busy.value,
    problem: problem.value,
    inTheWay: inTheWay.value,
    ask: (...commands) => all(commands),
    choose: async (way) => {
      const chosen = inTheWay.peek();
      if (chosen) await all([{ ...chosen.first, onConflict: way }, ...chosen.rest]);
    },
    leave: () => {
      inTheWay.value = undefined;
    },
  };
}
