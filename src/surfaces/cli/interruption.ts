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
  // A terminal that is closed may say so twice (the kernel and its shell): that is no impatience.
  const leave = terminal.onSignal((signal) => {
    if (!asked) ask();
    else if (signal !== "SIGHUP") terminal.exit(exitCodes.interrupted);
  });
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
