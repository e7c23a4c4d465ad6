/** `/context` and `/compact`: show what fills the conversation's context, and shorten it. */

import { visibleLine } from "../../base/visible-text.ts";
import { contextLines } from "../context.ts";
import { whileBusy } from "./interrupt-or-leave.ts";
import { showNew } from "./queue-commands.ts";
import type { Talk } from "./talk.ts";

export async function showContext({ session, terminal, style }: Talk): Promise<void> {
  const files = session.state.instructions.map(({ path }) => visibleLine(path));
  const read = files.length === 0 ? [] : [style.dim(`Instruction files: ${files.join(", ")}.`)];
  terminal.note(...contextLines(await session.context(), style), ...read);
}

/** Waits for the summary; Ctrl-C interrupts it. */
export async function compact(talk: Talk): Promise<void> {
  const { session, terminal, style } = talk;
  const begun = await session.command({ type: "compact" });
  if (!begun.ok) return terminal.note(style.yellow(`! ${visibleLine(begun.problem)}`));
  terminal.note(style.dim("Summing up …"));
  await whileBusy(talk, () => session.idle());
  return showNew(talk);
}
