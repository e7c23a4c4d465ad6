/** Decides what happens to a question when the input ends. */

import type { Talk } from "./talk.ts";

/**
 * At a terminal the person left (Ctrl-D or a closed window): the question stays open and the conversation ends. Other
 * input (false) can never answer, so the question is refused.
 */
export function waitsOn(talk: Talk): boolean {
  const { terminal, style } = talk;
  if (!terminal.isAttended) return false;
  if (talk.leaving === undefined) terminal.note(style.yellow(words));
  talk.leaving ??= 0;
  return true;
}

const words = "The request waits for your answer: toolwright --continue asks again.";
