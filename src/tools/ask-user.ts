/** The tool that asks a person a question, with or without choices. */

import * as z from "zod/mini";
import { firstLine } from "../base/text.ts";
import { withoutPerson } from "../protocol/fact-words.ts";
import { switchField } from "./arguments/shape.ts";
import { defineTool, ok, type ToolResult, type QuestionReply } from "./tool.ts";

/** A question longer than this is not read before it is answered. */
const longestQuestion = 4000;
const mostChoices = 12;
const longestChoice = 500;

type AnswerChoice = { label: string; detail?: string | undefined };

export const askUser = defineTool({
  name: "ask_user",
  aliases: ["ask_question", "ask_followup_question", "ask_user_question"],
  argumentAliases: {
    question: ["prompt", "message", "text"],
    choices: ["options", "suggestions", "follow_up"],
    several: ["multiple", "multiSelect", "multi_select"],
    label: ["title", "text", "option"],
    detail: ["description"],
  },
  summary: "Ask the user what only they can decide.",
  does: "read",
  forPeople: true,
  input: () => ({
    question: z.string().check(z.minLength(1), z.maxLength(longestQuestion)),
    choices: z.optional(z.array(choice()).check(z.maxLength(mostChoices))),
    several: z.optional(switchField("Allow more than one")),
  }),
  title: ({ question }) => `Ask: ${firstLine(question)}`,
  asks: ({ question, choices = [], several }) => {
    const offered = choices.map(offer);
    return {
      question,
      choices: offered,
      ...(several === true && offered.length > 1 ? { several } : {}),
      answered: (reply) => answerResult(reply, offered),
    };
  },
  run: async () =>
    ok(
      "Nobody can be asked here. Decide yourself, take what is easiest to take back, and say at the end which assumption you made.",
    ),
});

const choice = () =>
  z.strictObject({
    label: z.string().check(z.minLength(1), z.maxLength(longestChoice)),
    detail: z.optional(z.string().check(z.maxLength(longestChoice))),
  });

const offer = ({ label, detail }: AnswerChoice): OfferedChoice =>
  detail === undefined || detail.trim() === "" ? { label } : { label, detail };

type OfferedChoice = { label: string; detail?: string };

function answerResult(
  { answer, by, chosen = [], text = "" }: QuestionReply,
  choices: readonly OfferedChoice[],
): ToolResult {
  const words = text.trim();
  if (withoutPerson(by) !== undefined)
    return ok(
      "Nobody answered this. Decide yourself, take what is easiest to take back, and say which assumption you made.",
    );
  if (answer === "declined")
    return ok(
      `The user does not want to answer this.${saidWords(words)} Do not ask it again: decide yourself and say which assumption you made, or do without.`,
    );
  const taken = [...new Set(chosen)].flatMap((at) => choices[at] ?? []);
  if (taken.length === 0)
    return ok(words === "" ? "The user gave an empty answer." : `The user answered: ${words}`);
  const [only] = taken;
  const lines = taken.map(({ label }) => `- ${label}`).join("\n");
  const chose = taken.length === 1 ? `The user chose: ${only?.label ?? ""}` : `The user chose:\n${lines}`;
  return ok(words === "" ? chose : `${chose}\nThey added: ${words}`);
}

const saidWords = (words: string): string => (words === "" ? "" : ` They said: "${words}".`);
