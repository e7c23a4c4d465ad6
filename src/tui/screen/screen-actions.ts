/** What keys of the screen do that takes more than a moment: an editor for the input, and a page for an output. */

import type { TextField } from "../input/text-field.ts";
import type { Terminal } from "../terminal.ts";
import type { PagerScreen } from "./pager-screen.ts";

export async function writeInEditor(
  terminal: Pick<Terminal, "edit" | "note">,
  field: TextField,
): Promise<void> {
  const edited = await terminal.edit(field.expanded(), "message.md");
  if (edited?.ok === true) field.set(edited.value.trimEnd());
  else terminal.note(edited?.problem ?? "Set $VISUAL or $EDITOR to write in your editor.");
}

export async function showOutput(
  terminal: Pick<Terminal, "note" | "style">,
  pages: PagerScreen,
  output: Promise<string | undefined>,
): Promise<void> {
  const text = await output;
  if (text === undefined) terminal.note(terminal.style.dim("There is no output yet."));
  else pages.openText(text);
}
