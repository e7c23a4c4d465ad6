/** Formats queued messages, questions, limits and turn guidance for a line-based terminal. */

import { visibleLine, visibleText } from "../base/visible-text.ts";
import { droppedSteps } from "../protocol/dropped-steps.ts";
import { nobody } from "../protocol/fact-words.ts";
import type { LimitName, PlanStep } from "../protocol/facts.ts";
import type { AskedBlock, EventBlock, LimitBlock, QueuedBlock, TodosBlock } from "./blocks.ts";
import type { Style } from "./style.ts";

/** Character limit for a queued message, and for guidance given to the model. */
const mostWords = 160;

/** One line only: the whole message is shown once it is taken. */
export function queuedLines({ text, images, when, state, by }: QueuedBlock, style: Style): string[] {
  if (state === "taken") return [];
  const author = by === undefined ? "" : `${by}: `;
  const words = shortLine(author + (text === "" && images > 0 ? `[${images} images]` : text));
  if (state === "withdrawn") return [style.dim(`» withdrawn: ${words}`)];
  const until = when === "steer" ? "told at the next step" : "waits until this request is done";
  return [style.dim(`» ${words} (${until})`)];
}

export const eventLines = ({ text, details }: EventBlock, style: Style): string[] => [
  style.dim(`· ${shortLine(text, 2 * mostWords)}`),
  ...(details === undefined
    ? []
    : visibleText(details)
        .split("\n")
        .map((line) => `  ${line}`)),
];

const boxes = { open: "[ ]", doing: "[~]", done: "[x]" } as const;

/** To-dos beyond this number are only counted. */
const mostTodos = 20;

export function todoLines({ items }: TodosBlock, style: Style): string[] {
  const done = items.filter(({ state }) => state === "done").length;
  const shown = items.slice(0, mostTodos).map(({ text, state }) => {
    const line = `  ${boxes[state]} ${shortLine(text)}`;
    return state === "done" ? style.dim(line) : line;
  });
  const left = items.length - shown.length;
  return [
    `To do (${done} of ${items.length} done):`,
    ...shown,
    ...(left > 0 ? [style.dim(`  … and ${left} more`)] : []),
  ];
}

/** The model's question with numbered choices; once answered, the answer is the last line. */
export function askedLines(asked: AskedBlock, style: Style): string[] {
  const { question, choices, steps, reply } = asked;
  const [first = "", ...rest] = visibleText(question.trim()).split("\n");
  const offered = steps ?? [];
  return [
    style.bold(style.yellow(`? ${first}`)),
    ...rest.map((line) => `  ${line}`),
    ...choices.flatMap(({ label, detail }, at) => numberedLines(at, label, detail)),
    ...stepLines(offered),
    ...(reply ? [`  ${replyWords(asked, reply, style)}`] : []),
  ];
}

const stepLines = (steps: NonNullable<AskedBlock["steps"]>): string[] =>
  steps.flatMap(({ title, detail }, at) => numberedLines(at, title, detail));

function numberedLines(at: number, title: string, detail: string | undefined): string[] {
  const details = detail === undefined || detail.trim() === "" ? [] : visibleText(detail.trim()).split("\n");
  return [
    `  ${String(at + 1).padStart(2)}. ${visibleLine(title)}`,
    ...details.map((line) => `      ${line}`),
  ];
}

/** What a person has answered, in one line. */
export function replyWords(
  { choices, steps }: AskedBlock,
  reply: NonNullable<AskedBlock["reply"]>,
  style: Style,
): string {
  const { answer, chosen = [], text } = reply;
  const words = text === undefined ? "" : shortLine(text);
  if (reply.by === nobody) return style.yellow("Nobody answered in time.");
  if (answer === "declined") {
    const what = steps ? "Rejected" : "Not answered";
    return style.yellow(words === "" ? `${what}.` : `${what}: ${words}`);
  }
  if (steps) {
    return style.green(`Approved${changedPlanWords(steps, reply.steps)}${words === "" ? "." : `: ${words}`}`);
  }
  const labels = chosen.map((at) => visibleLine(choices[at]?.label ?? String(at + 1)));
  return style.green(`Answered: ${[...labels, ...(words === "" ? [] : [words])].join(", ")}`);
}

/** " with changes (1 of 2 steps, without: Test)", or nothing if the plan was approved as proposed. */
export function changedPlanWords(
  proposed: readonly PlanStep[],
  approved: readonly PlanStep[] | undefined,
): string {
  if (!approved) return "";
  const dropped = droppedSteps(proposed, approved);
  const without = dropped.length === 0 ? "" : `, without: ${shortLine(dropped.join("; "))}`;
  return ` with changes (${approved.length} of ${proposed.length} steps${without})`;
}

export function limitLines({ limit, used, most, answer }: LimitBlock, style: Style): string[] {
  const isExtended = answer?.by === "toolwright" && answer.answer === "extend";
  if (isExtended)
    return [style.dim(`· Goes on by itself, up to ${amountWords(limit, answer.most ?? most)}.`)];
  const asked = style.yellow(`? ${usedWords(limit, used, most)}`);
  if (!answer) return [asked];
  const told =
    answer.answer === "stop"
      ? style.yellow(answer.by === nobody ? "  Nobody answered in time: it stops." : "  Stopped.")
      : style.green(`  Goes on, up to ${amountWords(limit, answer.most ?? most)}.`);
  return [asked, told];
}

/** Limits are checked between two rounds, so usage may slightly exceed them. */
export function usedWords(limit: LimitName, used: number, most: number): string {
  const [spent, allowed] = [amountWords(limit, used), amountWords(limit, most)];
  return spent === allowed
    ? `This request has used all of its ${allowed}.`
    : `This request has used ${spent}, and may use ${allowed}.`;
}

/** "25 rounds", "$0.50", "2 min 30 s". */
export function amountWords(limit: LimitName, amount: number): string {
  switch (limit) {
    case "rounds":
    case "calls":
      return `${amount.toLocaleString("en")} ${amount === 1 ? limit.slice(0, -1) : limit}`;
    case "tokens":
      return `${Math.round(amount).toLocaleString("en")} tokens`;
    case "cost":
      return `$${amount < 1 ? amount.toPrecision(2) : amount.toFixed(2)}`;
    case "time": {
      const seconds = Math.round(amount / 1000);
      const rest = seconds % 60 === 0 ? "" : ` ${seconds % 60} s`;
      return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min${rest}`;
    }
    default:
      return limit satisfies never;
  }
}

function shortLine(text: string, most = mostWords): string {
  const characters = Array.from(visibleLine(text.slice(0, 4 * most).trim()));
  return characters.length <= most && text.length <= 4 * most
    ? characters.join("")
    : `${characters.slice(0, most - 1).join("")}…`;
}
