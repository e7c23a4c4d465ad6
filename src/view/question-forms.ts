/** A turn's questions to a person as forms (elicitations of MCP and ACP), and the answers as commands. */

import { visibleLine, visibleText } from "../base/visible-text.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import type { Command } from "../protocol/commands.ts";
import type { OpenQuestion, PersonQuestion } from "./person-questions.ts";
import { waitingIn, waitingWords } from "./waiting-changes.ts";

type QuestionField = { type: "string"; title: string; enum?: string[]; maxLength?: number };
type QuestionFields = Record<string, QuestionField>;

/** The schema is one of the restricted kind that elicitations allow: an object of strings. */
type QuestionForm = {
  message: string;
  requestedSchema: { type: "object"; properties: QuestionFields; required: string[] };
};

/** Characters of a command or diff shown in a question. */
const mostPreview = 8_000;

const allow = "allow";
const allowInSession = "allow in this session";
const deny = "deny";

export function questionForm(asked: PersonQuestion): QuestionForm {
  switch (asked.type) {
    case "approval-asked":
      return approvalForm(asked);
    case "question-asked":
      return modelQuestionForm(asked);
    case "limit-asked": {
      const message = `The limit of this task is reached (${asked.limit}: ${asked.used} of ${asked.most}). May it go on, up to ${asked.offer}?`;
      return form(message, { answer: choice(["stop", "go on"]) });
    }
    default:
      return asked satisfies never;
  }
}

const form = (message: string, properties: QuestionFields, required = ["answer"]): QuestionForm => ({
  message,
  requestedSchema: { type: "object", properties, required },
});

const choice = (values: string[]) => ({ type: "string" as const, title: "Answer", enum: values });
const words = (title: string) => ({ type: "string" as const, title, maxLength: 4_000 });

function approvalForm({
  title,
  because,
  preview,
  scopes,
  grant,
  held,
  changes,
}: PersonQuestion & { type: "approval-asked" }): QuestionForm {
  const waiting = waitingIn(withoutUndefined({ held, changes }));
  const happened = waiting ? `\n${waitingWords(waiting).map(visibleLine).join(" ")}` : "";
  const cut = preview.length > mostPreview ? `\n… and ${preview.length - mostPreview} characters more` : "";
  const shown = `${visibleText(preview.slice(0, mostPreview))}${cut}`;
  const wider = scopes?.includes("session") !== false;
  const about = wider && grant !== "" ? `\n\n"${allowInSession}" covers: ${visibleLine(grant)}` : "";
  const message = `${visibleLine(title)}?${happened}\n${visibleLine(because)}\n\n${shown}${about}`;
  return form(message, {
    answer: choice([allow, ...(wider ? [allowInSession] : []), deny]),
    note: words("Why not, for the model (when denied)"),
  });
}

function modelQuestionForm({
  question,
  choices,
  steps,
}: PersonQuestion & { type: "question-asked" }): QuestionForm {
  const plan = (steps ?? []).map(({ title }, at) => `${at + 1}. ${visibleLine(title)}`).join("\n");
  const details = choices.flatMap(({ label, detail }) =>
    detail === undefined ? [] : [`${visibleLine(label)}: ${visibleLine(detail)}`],
  );
  const message = [visibleText(question), plan, details.join("\n")]
    .filter((part) => part !== "")
    .join("\n\n");
  if (steps) return form(message, { answer: choice(["approve", "reject"]), text: words("What to change") });
  if (choices.length === 0) return form(message, { text: words("Answer") }, ["text"]);
  const labels = choices.map(({ label }, at) => `${at + 1}. ${visibleLine(label)}`);
  return form(message, { answer: choice(labels), text: words("In other words") }, []);
}

/** `filledIn`: the form's values; undefined if the person declined to answer. */
export function answerFrom(
  asked: PersonQuestion,
  filledIn: Readonly<Record<string, unknown>> | undefined,
  by: string,
): Command {
  if (!filledIn) return refusalOf(asked, by);
  const said = textIn(filledIn["answer"]);
  switch (asked.type) {
    case "approval-asked": {
      const isYes = said === allow || said === allowInSession;
      const scope = said === allowInSession ? ("session" as const) : ("once" as const);
      const note = textIn(filledIn["note"]);
      const about = { type: "answer-approval" as const, callId: asked.callId, scope, by };
      return isYes
        ? { ...about, answer: "allow" }
        : { ...about, answer: "deny", ...(note === "" ? {} : { note }) };
    }
    case "question-asked":
      return replyTo(asked, { said, text: textIn(filledIn["text"]), by });
    case "limit-asked":
      return { type: "answer-limit", answer: said === "go on" ? "extend" : "stop", by };
    default:
      return asked satisfies never;
  }
}

const textIn = (value: unknown): string => (typeof value === "string" ? value.slice(0, 4_000) : "");

function replyTo(
  { callId, steps, choices }: PersonQuestion & { type: "question-asked" },
  { said, text, by }: { said: string; text: string; by: string },
): Command {
  const about = { type: "answer-question" as const, callId, by, ...(text === "" ? {} : { text }) };
  if (steps) return { ...about, answer: said === "approve" ? "given" : "declined" };
  const at = choices.findIndex(({ label }, index) => said === `${index + 1}. ${visibleLine(label)}`);
  if (at === -1 && text === "") return { ...about, answer: "declined" };
  return { ...about, answer: "given", ...(at === -1 ? {} : { chosen: [at] }) };
}

export type AnswerToQuestion = Extract<
  Command,
  { type: "answer-approval" | "answer-question" | "answer-limit" }
>;

export const nobodyThere = "Nobody is there to answer: decide by yourself, and say what you decided.";

/** The command for a question that was declined or reached no person. `because`: for the model. */
export function refusalOf(asked: OpenQuestion, by: string, because?: string): AnswerToQuestion {
  switch (asked.type) {
    case "approval-asked":
      return {
        type: "answer-approval",
        callId: asked.callId,
        answer: "deny",
        scope: "once",
        note: because,
        by,
      };
    case "question-asked": {
      const { callId } = asked;
      return { type: "answer-question", callId, answer: "declined", text: because ?? nobodyThere, by };
    }
    case "limit-asked":
      return { type: "answer-limit", answer: "stop", by };
    default:
      return asked satisfies never;
  }
}
