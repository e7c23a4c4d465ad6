/** Reads a line that must not be seen, such as a key: nothing of what is typed or pasted is echoed. */

import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { ProcessTerminal } from "../tui/process-terminal.ts";

/** `undefined` when the person leaves: Ctrl-C, Ctrl-D, or the end of the input. */
export function hiddenLine(terminal: ProcessTerminal, prompt: string): Promise<string | undefined> {
  const output = new Writable({ write: (_text, _encoding, done) => done() });
  const reading = createInterface({ input: terminal.input, output, terminal: true, historySize: 0 });
  terminal.print(prompt); // once the terminal echoes no more: a key that was pasted at its sight was seen
  return new Promise((resolve) => {
    const end = (line: string | undefined): void => {
      leaveSignals();
      resolve(line);
      reading.close();
    };
    const leaveSignals = terminal.onSignal(() => end(undefined));
    reading.once("line", end);
    reading.once("SIGINT", () => end(undefined));
    reading.once("error", () => end(undefined)); // the terminal is gone
    reading.once("close", () => end(undefined));
  }).then((line: unknown) => {
    terminal.print("\n");
    return typeof line === "string" ? line : undefined;
  });
}
