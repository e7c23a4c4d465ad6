/** One thing asked at a time of a session, and what is wrong with what was asked last. */

import { useSignal } from "@preact/signals";
import type { Command, CommandOutcome } from "../../../protocol/commands.ts";
import type { Ask } from "../contract.ts";

export type Sending = {
  busy: boolean;
  problem: string | undefined;
  /** `undefined`: something else is being asked. */
  send(command: Command): Promise<CommandOutcome | undefined>;
};

export function useSending(ask: Ask): Sending {
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
