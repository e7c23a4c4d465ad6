/** Ctrl-C and its kin: the first time politely, so that the log stays whole; the second time at once. */
import { exitCodes } from "./room.ts";
import type { Terminal } from "./terminal.ts";

/** Calls `interrupt` at the first signal, or when nobody reads the output any more. Returns how to stop watching. */
export function guard(terminal: Terminal, interrupt: () => void): () => void {
  let asked = false;
  const ask = (): void => {
    asked = true;
    interrupt();
  };
  const leave = terminal.onSignal(() => (asked ? terminal.exit(exitCodes.interrupted) : ask()));
  const gone = (): void => {
    if (!asked) ask();
  };
  terminal.outputGone.addEventListener("abort", gone);
  if (terminal.outputGone.aborted) gone();
  return () => {
    leave();
    terminal.outputGone.removeEventListener("abort", gone);
  };
}
