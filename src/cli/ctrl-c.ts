/**
 * Handles Ctrl-C and other signals outside of a conversation: the first one interrupts cleanly, so that the log stays
 * whole; the second exits at once.
 */

import type { ProcessTerminal } from "../tui/process-terminal.ts";
import { exitCodes } from "./cli-context.ts";

/**
 * Calls `interrupt` at the first signal, or when the output's reader goes away. Returns a function that stops watching.
 */
export function guard(terminal: ProcessTerminal, interrupt: () => void): () => void {
  let asked = false;
  const ask = (): void => {
    asked = true;
    interrupt();
  };
  // A closing terminal may signal twice (the kernel and its shell), which is not a second request.
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
