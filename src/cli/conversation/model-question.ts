/** Asks a question of the model on the terminal: one choice, several, or free text. Plans are asked elsewhere. */

import type { AnswerQuestion } from "../../protocol/commands.ts";
import type { FactOf } from "../../protocol/facts.ts";
import { pendingQuestions } from "../../protocol/session-state.ts";
import type { Card } from "../../tui/card.ts";
import type { AskedBlock } from "../../view/blocks.ts";
import { readPlanAnswer } from "./plan-question.ts";
import { askUntilTaken, readReply } from "./reply.ts";
import type { Talk } from "./talk.ts";

type Question = FactOf<"question-asked">;
type ChosenAnswer = Pick<AnswerQuestion, "answer" | "text" | "chosen">;

export async function askQuestion(talk: Talk, asked: Question): Promise<void> {
  const { callId, several = false, steps, ...rest } = asked;
  const block = { ...rest, callId, type: "asked" as const, key: "", several, steps };
  await askUntilTaken<ChosenAnswer>(talk, {
    isOpen: () => pendingQuestions(talk.session.state).some((open) => open.callId === callId),
    read: () => (steps ? readPlanAnswer(talk, block, steps) : readAnswer(talk, block)),
    refusal: { answer: "declined" },
    command: (answer) => ({ type: "answer-question", callId, by: "terminal", ...answer }),
  });
}

async function readAnswer(talk: Talk, asked: AskedBlock): Promise<ChosenAnswer | undefined> {
  const card: Card = {
    content: { type: "choice", asked },
    offers: [{ key: "s", words: "leave it to the model", answer: "s", needs: "enter" }],
    prompt: promptOf(asked),
  };
  for (;;) {
    const line = await readReply(talk, card);
    if (line === undefined) return undefined;
    const answer = parseChoice(line, asked);
    if (typeof answer !== "string") return answer;
    talk.terminal.note(`  ${answer}`);
  }
}

function promptOf({ choices, several }: AskedBlock): string {
  if (choices.length === 0) return "  Your answer ([s]kip leaves it to the model): ";
  const numbers = choices.length === 1 ? "1" : `1–${choices.length}`;
  const which = several ? `Any of ${numbers}, such as ${choices.length > 1 ? "1,2" : "1"}` : numbers;
  return `  ${which}, or your own words ([s]kip leaves it to the model): `;
}

/** Returns the answer, or a string that says what is wrong with the line. */
export function parseChoice(
  line: string,
  { choices, several = false }: Pick<AskedBlock, "choices"> & { several?: boolean | undefined },
): ChosenAnswer | string {
  const said = line.trim();
  if (/^(?:s|skip)$/iu.test(said)) return { answer: "declined" };
  if (said === "") return "Please say something, or s to leave it to the model.";
  const named = choices.findIndex(({ label }) => label.trim().toLowerCase() === said.toLowerCase());
  if (named !== -1) return { answer: "given", chosen: [named] };
  if (choices.length === 0 || !/^\d+(?:[\s,;+&]+\d+)*[.,]?$/u.test(said))
    return { answer: "given", text: said };
  const numbers = [...new Set((said.match(/\d+/gu) ?? []).map(Number))];
  const wrong = numbers.find((number) => number < 1 || number > choices.length);
  if (wrong !== undefined) return `There is no choice ${wrong}: they are numbered 1 to ${choices.length}.`;
  if (numbers.length > 1 && !several) return "Only one of them can be chosen.";
  return { answer: "given", chosen: numbers.map((number) => number - 1) };
}
