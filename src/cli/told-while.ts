/** Says on standard error what a command of the shell waits for, and for how long, and takes it away again. */

import { systemClock, type TickingClock } from "../tui/line/status-line.ts";
import type { ProcessTerminal } from "../tui/process-terminal.ts";
import { clippedRow } from "../tui/styled-rows.ts";
import { duration } from "../view/status.ts";

type WaitingPerson = Pick<ProcessTerminal, "report" | "errorIsTerminal" | "columns">;

/** What is over sooner is not worth a row. */
const tickMs = 500;
/** Returns to the start of the line and clears it. */
const clear = "\r\u001B[K";

/** A program that reads standard error gets nothing of it. */
export async function toldWhile<T>(
  terminal: WaitingPerson,
  what: string,
  work: () => Promise<T>,
  clock: TickingClock = systemClock,
): Promise<T> {
  if (!terminal.errorIsTerminal) return work();
  const since = clock.now();
  let isShown = false;
  const leave = clock.every(tickMs, () => {
    isShown = true;
    terminal.report(clear + clippedRow(`${what} · ${duration(clock.now() - since)}`, terminal.columns()));
  });
  try {
    return await work();
  } finally {
    leave();
    if (isShown) terminal.report(clear);
  }
}
