/** Reads what a program says to the session: a line of `--input stream-json`, or the answer of `--ask-on`. */

import { checkedValue } from "../../base/checked-value.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Command } from "../../protocol/commands.ts";
import type { OpenQuestion } from "../../view/person-questions.ts";
import type { AnswerToQuestion } from "../../view/question-forms.ts";
import { type InputLine, inputLine } from "./schemas.ts";

/** An unknown type, a field that does not belong there or another version is a mistake. */
export function readCommand(value: JsonObject, by = "a program"): Expected<Command> {
  const read = checkedValue(inputLine, value, "the line");
  return read.ok ? { ok: true, value: commandOf(read.value, by) } : read;
}

function commandOf(read: InputLine, by: string): Command {
  const { version: _, ...line } = read;
  switch (line.type) {
    case "send": {
      const { content } = line;
      return { ...line, content: typeof content === "string" ? [{ type: "text", text: content }] : content };
    }
    case "answer-approval":
      return { by, scope: "once", ...line };
    case "answer-question":
    case "answer-limit":
      return { by, ...line };
    default:
      return line;
  }
}

const answerTo = {
  "approval-asked": "answer-approval",
  "question-asked": "answer-question",
  "limit-asked": "answer-limit",
} as const satisfies Record<OpenQuestion["type"], AnswerToQuestion["type"]>;

/** The answer to the only question that was put: it need not say to which. */
export function readAnswer(value: JsonObject, asked: OpenQuestion, by: string): Expected<AnswerToQuestion> {
  const type = answerTo[asked.type];
  const callId = "callId" in asked ? asked.callId : undefined;
  const read = readCommand({ type, ...(callId === undefined ? {} : { callId }), ...value }, by);
  if (!read.ok) return read;
  const answer = read.value;
  return answer.type === type && isAnswer(answer) && (!("callId" in answer) || answer.callId === callId)
    ? { ok: true, value: answer }
    : refuse("It answers another question than the one that was put.");
}

const isAnswer = (command: Command): command is AnswerToQuestion =>
  Object.values(answerTo).some((type) => type === command.type);
