/** The outcome of a question from the model, in one sentence. */

import { nobody } from "../../protocol/fact-words.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import type { AskedBlock } from "../../view/blocks.ts";
import { changedPlanWords } from "../../view/message-lines.ts";
import { visibleLine } from "../../view/visible.ts";
import { answeredFrom } from "./question-words.ts";

/** The question was never answered, and its request no longer waits. */
export const isGivenUp = ({ reply, callId }: AskedBlock, { open }: Pick<SessionState, "open">): boolean =>
  !reply && !open.has(callId);

export function replyWords({ choices, steps, reply }: AskedBlock): string {
  if (!reply) return "Not answered: the request is over.";
  if (reply.by === nobody) return "Not answered in time.";
  const from = answeredFrom(reply.by);
  const words = reply.text === undefined || reply.text === "" ? [] : [visibleLine(reply.text)];
  if (reply.answer === "declined") {
    const what = steps ? "Rejected" : "Not answered";
    return words.length === 0 ? `${what}, ${from}.` : `${what}, ${from}: ${words.join("")}`;
  }
  if (steps) {
    const changed = changedPlanWords(steps, reply.steps);
    return `Approved${changed}, ${from}${words.length === 0 ? "." : `: ${words.join("")}`}`;
  }
  const labels = (reply.chosen ?? []).map((at) => visibleLine(choices[at]?.label ?? String(at + 1)));
  return `Answered ${from}: ${[...labels, ...words].join(", ")}`;
}
