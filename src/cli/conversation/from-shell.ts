/** Runs a command of the shell in a conversation: the same word does the same, and prints there. */

import type { CliContext } from "../cli-context.ts";
import type { Talk } from "./talk.ts";

/** What it prints is kept in this many characters; the shell shows the rest. */
const mostShown = 100_000;

export async function fromShell(talk: Talk, run: (context: CliContext) => Promise<unknown>): Promise<void> {
  const { shell } = talk.context;
  if (!shell) return talk.terminal.note("This works in a conversation that `toolwright` has begun.");
  let printed = "";
  const print = (text: string): void => {
    if (printed.length < mostShown) printed += text;
  };
  const { terminal } = shell;
  const captured = { ...terminal, cwd: terminal.cwd, input: terminal.input, print, report: print };
  await run({ ...shell, settings: { ...shell.settings, output: "text" }, terminal: captured });
  const text = printed.replace(/\n$/u, "");
  if (text !== "") talk.terminal.quote(...text.split("\n"));
}
