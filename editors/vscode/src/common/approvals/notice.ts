/** A waiting question as a notification: its words, and the answers that it offers. */

import { visiblePreview } from "../../../../../src/base/visible-text.ts";
import type { FactOf } from "../../../../../src/client.ts";
import {
  askedFor,
  headingOf,
  riskWords,
  titleBeside,
  widerScopes,
} from "../../../../../src/page/panels/question-words.ts";
import { placeWords } from "../../../../../src/protocol/place.ts";
import type { QuestionBlock } from "../../../../../src/view/blocks.ts";
import { questionIn } from "../../../../../src/view/question.ts";
import { waitingWords } from "../../../../../src/view/waiting-changes.ts";
import { t } from "../translate.ts";
import type { ApprovalReply, PendingQuestion } from "./waiting-questions.ts";

type LongerScope = Exclude<ApprovalReply["scope"], "once">;

export type NoticeAnswer =
  | { type: "allow"; label: string }
  /** For longer: the scopes to choose from, and what a yes then covers. */
  | { type: "allow-longer"; label: string; scopes: readonly LongerScope[]; covers: string }
  | { type: "deny"; label: string }
  | { type: "diff"; label: string }
  | { type: "show"; label: string };

/** `answers`: in the order of the buttons. */
type QuestionNotice = {
  message: string;
  severity: "information" | "warning";
  answers: NoticeAnswer[];
};

const showAnswer = (): NoticeAnswer => ({ type: "show", label: t("Show") });

export function noticeOf(waiting: PendingQuestion): QuestionNotice {
  switch (waiting.type) {
    case "approval":
      return approvalNotice(
        { type: "question", key: waiting.key, ...questionIn(waiting.asked) },
        waiting.asked,
      );
    case "question":
      return {
        message: fitting(questionWords(waiting.asked)).text,
        severity: "information",
        answers: [showAnswer()],
      };
    case "limit":
      return {
        message: fitting(limitWords(waiting.asked)).text,
        severity: "information",
        answers: [showAnswer()],
      };
    default:
      return waiting satisfies never;
  }
}

const questionWords = ({ question, steps }: FactOf<"question-asked">): string =>
  steps
    ? t("Toolwright has a plan and asks for your agreement.")
    : t("Toolwright asks: {0}", oneLine(question));

const limitWords = ({ limit, used, most }: FactOf<"limit-asked">): string =>
  t("Toolwright has reached a limit ({0}: {1} of {2}) and asks whether to go on.", limit, used, most);

/** Nobody can allow what they have not seen whole: then the answers are in the view. */
function approvalNotice(question: QuestionBlock, asked: FactOf<"approval-asked">): QuestionNotice {
  const what = fitting(`${headingOf(askedFor(question))} ${subjectOf(question, asked)}`);
  const severity = question.risk === "high" || question.risk === "critical" ? "warning" : "information";
  const deny: NoticeAnswer = { type: "deny", label: question.waiting ? t("Drop all…") : t("Deny…") };
  if (!what.isWhole) return { message: what.text, severity, answers: [showAnswer(), deny] };
  const { text } = fitting(`${what.text} · ${reasonOf(question)}`);
  const allows = allowsOf(question);
  const shows: NoticeAnswer[] =
    question.isDiff === true ? [{ type: "diff", label: t("Diff") }, showAnswer()] : [showAnswer()];
  const answers = question.risk === "critical" ? [...shows, deny, ...allows] : [...allows, deny, ...shows];
  return { message: text, severity, answers };
}

function subjectOf(question: QuestionBlock, asked: FactOf<"approval-asked">): string {
  if (question.waiting)
    return `${oneLine(question.title)} — ${waitingWords(question.waiting).join(" ")}${filesIn(asked)}`;
  if (question.isDiff === true) return `${oneLine(question.title)}${filesIn(asked)}`;
  const beside = titleBeside(question);
  const whole = oneLine(question.command ?? question.preview);
  const where = question.place ? [oneLine(placeWords(question.place))] : [];
  return [beside, whole, ...where].filter((words) => words !== "").join(" — ");
}

/** " (a.ts +3 −1, b.ts +1 −0)" */
const filesIn = ({ changes = [] }: FactOf<"approval-asked">): string =>
  changes.length === 0
    ? ""
    : ` (${changes.map(({ path, added, removed }) => `${oneLine(path)} +${added} −${removed}`).join(", ")})`;

const reasonOf = ({ because, risk }: QuestionBlock): string =>
  risk === "none" ? oneLine(because) : `${riskWords(risk)}: ${oneLine(because)}`;

/** Few buttons: VS Code cuts the words of many. */
function allowsOf(question: QuestionBlock): NoticeAnswer[] {
  const scopes = widerScopes(question);
  const once: NoticeAnswer = { type: "allow", label: question.waiting ? t("Keep all") : t("Allow once") };
  if (scopes.length === 0) return [once];
  const label = question.waiting ? t("Keep for…") : t("Allow for…");
  return [once, { type: "allow-longer", label, scopes, covers: oneLine(question.grant) }];
}

/** A notification is one line, and nothing in it may hide. */
const oneLine = (text: string): string => visiblePreview(text).replaceAll("\n", "⏎").replaceAll("\t", " ");

/** VS Code cuts a notification after 1,000 characters without saying so. */
const mostCharacters = 900;

function fitting(text: string): { text: string; isWhole: boolean } {
  const plain = withoutLinks(text);
  if (plain.length <= mostCharacters) return { text: plain, isWhole: true };
  const shown = Array.from(plain.slice(0, mostCharacters - 40))
    .slice(0, -1)
    .join("");
  return { text: t("{0}… ({1} characters more)", shown, plain.length - shown.length), isWhole: false };
}

/** VS Code shows of a link only its name: what is behind it would be hidden. */
const withoutLinks = (text: string): string => text.replaceAll("](", "]\u2060(");
