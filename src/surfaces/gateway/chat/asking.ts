/** Questions that a connection shows: each has its time, and nobody's answer is a no. */

import type { Command } from "../../../protocol/commands.ts";
import { nobody } from "../../../protocol/fact-words.ts";
import type { SessionHost } from "../../../runtime/hosting/session-host.ts";
import type { ChatFrame } from "./frames.ts";
import type { AskedFrame, ChatState } from "./state.ts";
import type { Shown, Waits } from "./waits.ts";

/** What this connection shows, by the keys of `asked`. Changed in place. */
export type Asking = { session: string; host: SessionHost; waits: Waits; shown: Map<string, Shown> };

/** What was answered is not shown any more, whoever has answered it. */
export function leaveAnswered({ shown }: Asking, { asked }: Pick<ChatState, "asked">): void {
  for (const [key, wait] of shown) {
    if (asked.has(key)) continue;
    wait.leave();
    shown.delete(key);
  }
}

export const leaveAll = (asking: Asking): void => leaveAnswered(asking, { asked: new Map() });

/** The frame with the time that is left, which begins now unless another connection shows it already. */
export function timed(asking: Asking, { asked }: ChatState, frame: ChatFrame): ChatFrame {
  if (!isAsked(frame)) return frame;
  const key = [...asked].find(([, each]) => each === frame)?.[0];
  if (key === undefined) return frame;
  const { session, waits, shown } = asking;
  const wait = waits.show(`${session} ${key}`, () => void sayNo(asking, frame));
  shown.get(key)?.leave();
  shown.set(key, wait);
  return { ...frame, timeoutMs: wait.timeoutMs, expiresAt: wait.expiresAt };
}

const isAsked = (frame: ChatFrame): frame is AskedFrame =>
  frame.type === "tool.approval.request" ||
  frame.type === "question.request" ||
  frame.type === "limit.request";

/** Where somebody was faster, their answer counts. */
async function sayNo({ host, session }: Asking, frame: AskedFrame): Promise<void> {
  try {
    await host.command(session, noTo(frame));
  } catch {
    // Whatever is wrong with the session, whoever follows it is told.
  }
}

const by = nobody;

function noTo(frame: AskedFrame): Command {
  switch (frame.type) {
    case "tool.approval.request":
      return { type: "answer-approval", callId: frame.callId, answer: "deny", scope: "once", by };
    case "question.request":
      return { type: "answer-question", callId: frame.callId, answer: "declined", by };
    case "limit.request":
      return { type: "answer-limit", answer: "stop", by };
    default:
      return frame satisfies never;
  }
}
