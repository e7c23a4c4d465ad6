/** A person's side questions: answered from the conversation, also while a turn runs, and no part of it. */

import { paidFor } from "../agent/answer/paid.ts";
import type { PlainAnswer } from "../agent/answer/plain-answer.ts";
import { askBeside } from "../agent/beside.ts";
import { kib } from "../base/bound.ts";
import type { CommandOutcome } from "../protocol/commands.ts";
import type { FactOf } from "../protocol/facts.ts";
import type { SessionCore } from "./session-core.ts";

const mostCharacters = 64 * kib;

/** Records the answer, or why there is none; `signal` gives it up. */
export async function askAside(
  question: string,
  core: SessionCore,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const context = core.turnContext(signal);
  const answer = await askBeside({ text: wordsFor(question), characters: mostCharacters }, context).catch(
    (error: unknown) => {
      if (!signal.aborted) throw error;
      return undefined;
    },
  );
  const { by = context.model.name, usage } = answer ?? {};
  const paid = { model: by, ...paidFor(by, usage, context) };
  await core.log.append({ type: "aside-answered", question, ...saidIn(answer), ...paid });
  return { ok: true };
}

const saidIn = (answer: PlainAnswer | undefined): Pick<FactOf<"aside-answered">, "reason" | "text"> => {
  if (!answer) return { reason: "interrupted", text: "Stopped before there was an answer." };
  if (answer.ok) return { reason: "stop", text: answer.text };
  return { reason: "failed", text: `There is no answer: ${answer.problem}` };
};

const wordsFor = (
  question: string,
): string => `A side question, beside the work; it changes nothing about it, and you are not told of it again. Answer it briefly from what you know by now. You have no tools for it; if you do not know, say so.

${question}`;
