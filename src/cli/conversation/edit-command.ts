/** Lets a person edit a command at its approval question. */

import { editInEditor, editorOf } from "./editor.ts";
import type { Talk } from "./talk.ts";

/** A longer text appears at the prompt as a paste mark. */
const mostInLine = 400;

/** `undefined` if nothing was written or the question was cancelled. */
export async function editCommand(talk: Talk, command: string): Promise<string | undefined> {
  const { input, printer, context } = talk;
  const isLong = command.includes("\n") || command.length > mostInLine;
  const editor = isLong ? editorOf(context.terminal.env) : undefined;
  if (editor !== undefined) {
    const edited = await input.lend(() => editInEditor(editor, command, "command.sh"));
    if (edited.ok) return edited.value.trimEnd() || undefined;
    printer.note(`  ${edited.problem}`);
    return undefined;
  }
  if (isLong) printer.note("  It is too long for this line: set $EDITOR, or type it again.");
  const written = input.answer("  Run instead: ");
  if (!isLong) input.prefill(command);
  const line = await written;
  return line === undefined || line.trim() === "" ? undefined : line;
}
