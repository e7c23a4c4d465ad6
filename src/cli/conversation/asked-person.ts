/** Puts any kind of open question to the person. */

import type { OpenQuestion } from "../../view/person-questions.ts";
import { askLimit } from "./limit-question.ts";
import { askQuestion } from "./model-question.ts";
import { askApproval } from "./questions.ts";
import type { Talk } from "./talk.ts";

/** Asks until there is an answer from here or elsewhere; skips a question that has been answered meanwhile. */
export async function askPerson(talk: Talk, asked: OpenQuestion): Promise<void> {
  const { session, terminal } = talk;
  const leave = session.log.listen((event) => {
    if (isAnswerTo(asked, event) && "by" in event && event.by !== "terminal") terminal.cancel();
  });
  try {
    await ask(talk, asked);
  } finally {
    leave();
  }
}

function ask(talk: Talk, asked: OpenQuestion): Promise<void> {
  switch (asked.type) {
    case "approval-asked":
      return askApproval(talk, asked);
    case "question-asked":
      return askQuestion(talk, asked);
    case "limit-asked":
      return askLimit(talk, asked);
    default:
      return asked satisfies never;
  }
}

function isAnswerTo(asked: OpenQuestion, event: { type: string; callId?: unknown }): boolean {
  if (asked.type === "limit-asked") return event.type === "limit-answered";
  const answer = asked.type === "approval-asked" ? "approval-answered" : "question-answered";
  return event.type === answer && event.callId === asked.callId;
}
