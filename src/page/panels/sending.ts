/** Sends a session one command at a time, and holds the problem of the last one. */

import { useSignal } from "@preact/signals";
import type { Command, CommandOutcome } from "../../protocol/commands.ts";
import type { CommandSender } from "../contract.ts";

export type SendingState = {
  busy: boolean;
  problem: string | undefined;
  /** `undefined` if another command is in progress. */
  send(command: Command): Promise<CommandOutcome | undefined>;
};

export function useSending(ask: CommandSender): SendingState {
  const busy = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  return {
    busy: busy.value,
    problem: problem.value,
    async send(command) {
      if (busy.peek()) return undefined;
      busy.value = true;
      problem.value = undefined;
      const outcome = await ask(command);
      busy.value = false;
      if (!outcome.ok) problem.value = outcome.problem;
      return outcome;
    },
  };
}
