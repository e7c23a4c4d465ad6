/** Answers what waits for a person in a headless run, where nobody sits at it. */

import type { LiveSession } from "../../runtime/live-session.ts";
import { type OpenQuestion, openQuestions } from "../../view/person-questions.ts";
import { type AnswerToQuestion, nobodyThere, refusalOf } from "../../view/question-forms.ts";

/** Gives an answer, or the reason for a no. */
export type Answerer = (question: OpenQuestion) => Promise<AnswerToQuestion | { refused: string }>;

/** Declines, so that the model decides. */
export const nobody: Answerer = async () => ({
  refused: nobodyThere,
});

/**
 * Answers one question after the other until the request is over. A question that takes no answer at all closes the
 * request rather than leaving it open.
 */
export async function answerQuestions(session: LiveSession, answerer: Answerer): Promise<void> {
  for (;;) {
    await session.idle();
    if (session.state.status === "idle" && !session.isWorking) return;
    const [question] = openQuestions(session.state);
    if (question && (await isAnswered(session, question, answerer))) continue;
    await session.command({ type: "interrupt", by: "terminal" });
  }
}

async function isAnswered(
  session: LiveSession,
  question: OpenQuestion,
  answerer: Answerer,
): Promise<boolean> {
  const answer = await answerer(question);
  const given = "refused" in answer ? undefined : await session.command(answer);
  if (given?.ok) return true;
  const because = "refused" in answer ? answer.refused : (given?.problem ?? "");
  const declined = await session.command(refusalOf(question, "toolwright", because));
  return declined.ok;
}
