/** Reads a command line from standard input. */

import { mib } from "../../base/bound.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { type CliContext } from "../cli-context.ts";

/** A command line on the standard input of `inspect`, in bytes. */
const largest = 4 * mib;

/** Strips the last line end. Any text is accepted: judging odd ones is up to the judge. */
export async function readCommand(terminal: CliContext["terminal"]): Promise<Expected<string>> {
  if (terminal.inputIsTerminal)
    terminal.report("Type or paste the command, then press Ctrl-D on a line of its own.\n");
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of terminal.input) {
    pieces.push(Buffer.from(piece));
    length += piece.length;
    if (length > largest) return refuse("The command on standard input is longer than 4 MiB.");
  }
  const text = Buffer.concat(pieces)
    .toString("utf8")
    .replace(/\r?\n$/u, "");
  return text.trim() === ""
    ? refuse("There is no command on standard input: pipe one in.")
    : { ok: true, value: text };
}
