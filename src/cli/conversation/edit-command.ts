/** Lets a person edit a command at its approval question. */

import type { Talk } from "./talk.ts";

/** A longer text appears at the prompt as a paste mark. */
const mostInLine = 400;

/** `undefined` if nothing was written or the question was cancelled. */
export async function editCommand(talk: Talk, command: string): Promise<string | undefined> {
  const { terminal } = talk;
  const isLong = !terminal.editsLines && (command.includes("\n") || command.length > mostInLine);
  const edited = isLong ? await terminal.edit(command, "command.sh") : undefined;
  if (edited !== undefined) {
    if (edited.ok) return edited.value.trimEnd() || undefined;
    terminal.note(`  ${edited.problem}`);
    return undefined;
  }
  if (isLong) terminal.note("  It is too long for this line: set $EDITOR, or type it again.");
  const written = terminal.answer("  Run instead: ");
  if (!isLong) terminal.prefill(command);
  const line = await written;
  return line === undefined || line.trim() === "" ? undefined : line;
}
