/** `/context` and `/compact`: show what fills the conversation's context, and shorten it. */

import { visibleLine } from "../../view/visible.ts";
import { contextLines } from "../context.ts";
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
  talk.busy = true;
  talk.interruptedAt = 0;
  terminal.note(style.dim("Summing up …"));
  try {
    await session.idle();
  } finally {
    talk.busy = false;
  }
  for await (const entry of session.log.read(talk.seen)) {
    terminal.show(entry);
    talk.seen = entry.seq;
  }
  return undefined;
}
