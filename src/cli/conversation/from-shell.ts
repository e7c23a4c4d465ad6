/** Runs a command of the shell in a conversation: the same word does the same, and prints there. */

import { type CliContext } from "../cli-context.ts";
import type { Talk } from "./talk.ts";

/** Characters of what it prints; the shell shows the rest. */
const mostShown = 100_000;

/** Lines are shown as they come: one may be an address that has to be opened before it goes on. */
export async function fromShell(talk: Talk, run: (context: CliContext) => Promise<unknown>): Promise<void> {
  const { shell } = talk.context;
  if (!shell) return talk.terminal.note("This works in a conversation that `toolwright` has begun.");
  let [unfinished, left] = ["", mostShown];
  const print = (text: string): void => {
    const lines = (unfinished + text.slice(0, left)).split("\n");
    left = Math.max(0, left - text.length);
    unfinished = lines.pop() ?? "";
    if (lines.length > 0) talk.terminal.quote(...lines);
  };
  const { terminal } = shell;
  const captured = {
    ...terminal,
    errorIsTerminal: false,
    cwd: terminal.cwd,
    input: terminal.input,
    print,
    report: print,
  };
  await run({ ...shell, settings: { ...shell.settings, output: "text" }, terminal: captured });
  if (unfinished !== "") talk.terminal.quote(unfinished);
}
