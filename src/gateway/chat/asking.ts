/** Questions shown on a connection: each has a time limit, and an unanswered question counts as a no. */

import type { SessionHost } from "../../hosting/session-host.ts";
import type { Command } from "../../protocol/commands.ts";
import { nobody } from "../../protocol/fact-words.ts";
import type { ChatFrame } from "./frames.ts";
import type { QuestionFrame, ChatState } from "./state.ts";
import type { QuestionWait, QuestionWaits } from "./waits.ts";

/** The questions shown on this connection, by the keys of `asked`. Changed in place. */
export type QuestionContext = {
  session: string;
  host: SessionHost;
  waits: QuestionWaits;
  shown: Map<string, QuestionWait>;
};

/** Removes answered questions, whichever connection answered them. */
export function leaveAnswered({ shown }: QuestionContext, { asked }: Pick<ChatState, "asked">): void {
  for (const [key, wait] of shown) {
    if (asked.has(key)) continue;
    wait.leave();
    shown.delete(key);
  }
}

export const leaveAll = (asking: QuestionContext): void => leaveAnswered(asking, { asked: new Map() });

/** Adds the remaining time, which starts now unless another connection already shows the question. */
export function withTimeLimit(asking: QuestionContext, { asked }: ChatState, frame: ChatFrame): ChatFrame {
  if (!isAsked(frame)) return frame;
  const key = [...asked].find(([, each]) => each === frame)?.[0];
  if (key === undefined) return frame;
  const { session, waits, shown } = asking;
  const wait = waits.show(`${session} ${key}`, () => void sayNo(asking, frame));
  shown.get(key)?.leave();
  shown.set(key, wait);
  return { ...frame, timeoutMs: wait.timeoutMs, expiresAt: wait.expiresAt };
}

const isAsked = (frame: ChatFrame): frame is QuestionFrame =>
  frame.type === "tool.approval.request" ||
  frame.type === "question.request" ||
  frame.type === "limit.request";

/** If a person answered first, their answer counts. */
async function sayNo({ host, session }: QuestionContext, frame: QuestionFrame): Promise<void> {
  try {
    await host.command(session, noTo(frame));
  } catch {
    // Followers of the session learn of any problem with it.
  }
}

const by = nobody;

function noTo(frame: QuestionFrame): Command {
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
