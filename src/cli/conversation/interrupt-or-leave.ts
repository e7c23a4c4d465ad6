/** What Ctrl-C, the end of the input and /quit do to a running request and to a question that waits. */

import { awaitsPerson } from "../../protocol/session-state.ts";
import { exitCodes } from "../cli-context.ts";
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

/** `says`: what it is for. A screen shows it only as long as it takes. */
export async function interrupt({ session, terminal, style }: Talk, says: string): Promise<void> {
  if (!terminal.hasStatus) terminal.note(style.yellow(`Interrupting … (${says})`));
  const stopping = () => session.command({ type: "interrupt", by: "terminal" }).catch(() => undefined);
  await terminal.during(`interrupting (${says})`, stopping);
}

/** Awaits what a command does: Ctrl-C gives it up, or cancels its question, and does not leave. */
export async function whileBusy<T>(talk: Talk, work: () => Promise<T>): Promise<T> {
  const before = talk.busy;
  talk.busy = true;
  talk.interruptedAt = 0;
  try {
    return await work();
  } finally {
    talk.busy = before;
  }
}

/** Input that is not a terminal was written before anything ran: what runs is done first. */
export function quit(talk: Talk): void {
  const { session, terminal } = talk;
  talk.leaving = exitCodes.done;
  if (!talk.busy || !terminal.isAttended || session.state.status === "idle") return;
  if (awaitsPerson(session.state)) terminal.cancel();
  else void interrupt(talk, "to leave").finally(() => terminal.cancel());
}
