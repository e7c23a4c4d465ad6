/** What becomes of a question that nobody answers any more. */

import type { Talk } from "./talk.ts";

/**
 * The input has ended at a question. At a terminal somebody left, by Ctrl-D or by closing it: the question waits, and
 * the conversation is left. Otherwise (false) nobody will ever answer, and that is a no.
 */
export function waitsOn(talk: Talk): boolean {
  const { room, printer, style } = talk;
  if (!room.terminal.inputIsTerminal) return false;
  if (talk.leaving === undefined) printer.note(style.yellow(words));
  talk.leaving ??= 0;
  return true;
}

const words = "The request waits for your answer: toolwright --continue asks again.";
