/** Taking back, bringing back and keeping: asked, and asked again with a choice where later work stands in the way. */
import { useSignal } from "@preact/signals";
import type { Command, OnConflict, UndoConflict } from "../../../protocol/commands.ts";
import type { Ask } from "../contract.ts";

type Moving = Extract<Command, { type: "undo" | "redo" }>;
type Keeping = Extract<Command, { type: "keep" }>;

/** `first`: nothing was done yet; it can be done with a choice. */
export type InTheWay = { first: Moving; conflicts: readonly UndoConflict[] };

export type Changing = {
  busy: boolean;
  problem: string | undefined;
  inTheWay: InTheWay | undefined;
  /** One after the other, until one is refused. */
  ask(...commands: readonly (Moving | Keeping)[]): Promise<void>;
  choose(way: OnConflict): Promise<void>;
  leave(): void;
};

/** `done` is called when something was done. */
export function useChanging(ask: Ask, done: () => void): Changing {
  const busy = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const inTheWay = useSignal<InTheWay | undefined>(undefined);

  const one = async (command: Moving | Keeping): Promise<boolean> => {
    const outcome = await ask(command);
    if (outcome.ok) return true;
    const { conflicts = [] } = outcome;
    if (conflicts.length > 0 && command.type !== "keep") inTheWay.value = { first: command, conflicts };
    else problem.value = outcome.problem;
    return false;
  };

  const all = async (commands: readonly (Moving | Keeping)[]): Promise<void> => {
    if (busy.peek()) return;
    busy.value = true;
    problem.value = undefined;
    inTheWay.value = undefined;
    let isDone = true;
    for (const command of commands) isDone = isDone && (await one(command));
    busy.value = false;
    if (isDone) done();
  };

  return {
    busy: busy.value,
    problem: problem.value,
    inTheWay: inTheWay.value,
    ask: (...commands) => all(commands),
    choose: async (way) => {
      const first = inTheWay.peek()?.first;
      if (first) await all([{ ...first, onConflict: way }]);
    },
    leave: () => {
      inTheWay.value = undefined;
    },
  };
}
