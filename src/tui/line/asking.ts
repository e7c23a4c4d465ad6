/** Asks a person outside of a conversation; Ctrl-C or a signal that ends the program is no answer. */

import type { ProcessTerminal } from "../process-terminal.ts";
import { LineInput } from "./line-input.ts";

export type PersonAsking = {
  /** Undefined at the end of the input or when interrupted. */
  answer(prompt: string): Promise<string | undefined>;
  readonly wasInterrupted: boolean;
  close(): void;
};

export function askingAt(terminal: ProcessTerminal, interrupted?: () => void): PersonAsking {
  let wasInterrupted = false;
  const stop = (): void => {
    wasInterrupted = true;
    interrupted?.();
    input.cancel();
  };
  const input = new LineInput(terminal, { interrupt: stop, terminate: stop });
  return {
    answer: (prompt) => input.answer(prompt),
    get wasInterrupted() {
      return wasInterrupted;
    },
    close: () => input.close(),
  };
}
