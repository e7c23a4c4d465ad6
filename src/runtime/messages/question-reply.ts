/** Validates a person's reply to the model's question or plan, and turns it into facts. */

import type { Expected } from "../../base/expected.ts";
import type { AnswerQuestion } from "../../protocol/commands.ts";
import type { Fact, FactOf, PlanStep } from "../../protocol/facts.ts";

/** Limits of a reply: characters of a free-form answer, and steps of a plan. */
const longestText = 100_000;
const mostSteps = 200;

/** The problem says what is missing or invalid; nothing is stored then. */
export function replyFacts(reply: AnswerQuestion, asked: FactOf<"question-asked">): Expected<Fact[]> {
  const { callId, answer, by, text } = reply;
  if (text !== undefined && text.length > longestText)
    return problem(`That answer is too long: at most ${longestText} characters are taken.`);
  const said = {
    type: "question-answered" as const,
    callId,
    answer,
    by,
    ...(text === undefined ? {} : { text }),
  };
  if (answer === "declined") return { ok: true, value: [said] };
  return asked.steps ? approval(reply, said) : choice(reply, asked, said);
}

type QuestionAnswer = FactOf<"question-answered">;

function choice(
  { chosen = [], text = "", steps }: AnswerQuestion,
  { choices, several }: FactOf<"question-asked">,
  said: QuestionAnswer,
): Expected<Fact[]> {
  if (steps) return problem("This is a question and no plan: choose, or answer in your own words.");
  const taken = [...new Set(chosen)];
  const wrong = taken.find((at) => choices[at] === undefined);
  if (wrong !== undefined) return problem(`There is no choice ${wrong + 1}.`);
  if (taken.length > 1 && several !== true) return problem("Only one of these can be chosen.");
  if (taken.length === 0 && text.trim() === "")
    return problem(
      choices.length > 0
        ? "Choose one of these, or answer in your own words."
        : "Give an answer, or decline.",
    );
  return { ok: true, value: [{ ...said, ...(taken.length === 0 ? {} : { chosen: taken }) }] };
}

/** The plan is carried out in the mode chosen with it. */
function approval(
  { chosen = [], steps, mode = "ask", by }: AnswerQuestion,
  said: QuestionAnswer,
): Expected<Fact[]> {
  if (chosen.length > 0) return problem("This is a plan and has no choices: approve or reject it.");
  if (mode === "plan")
    return problem("In plan mode nothing is carried out: choose another mode for the plan.");
  const kept = steps?.flatMap(stepOf);
  if (kept?.length === 0)
    return problem("There is no step left in the plan: reject it instead, or leave one.");
  if (kept && kept.length > mostSteps) return problem(`A plan has at most ${mostSteps} steps.`);
  return {
    ok: true,
    value: [
      { ...said, ...(kept ? { steps: kept } : {}) },
      { type: "mode-set", mode, by },
    ],
  };
}

/** A step with an empty title was deleted by the person. */
function stepOf({ title, detail = "" }: PlanStep): PlanStep[] {
  const words = title.trim();
  if (words === "") return [];
  return [detail.trim() === "" ? { title: words } : { title: words, detail: detail.trim() }];
}

const problem = (words: string): { ok: false; problem: string } => ({ ok: false, problem: words });
