/** Formats a session's timeline for a terminal, short or in full. */

import { visibleLine, visibleText } from "../../base/visible-text.ts";
import { formatCost, formatUsage } from "../../view/cost.ts";
import type { Style } from "../../view/plain.ts";
import { timeWords } from "../../view/session-markdown.ts";
import type { TimelineCall, TimelineItem } from "../../view/timeline.ts";

/** Diff lines by request number. */
export type Diffs = Map<number, readonly string[]>;

type TimelineView = { style: Style; verbose: boolean; diffs: Diffs };

export const timelineLines = (items: readonly TimelineItem[], view: TimelineView): string[] =>
  items.flatMap((item) => itemLines(item, view));

function itemLines(item: TimelineItem, view: TimelineView): string[] {
  const { style, verbose } = view;
  switch (item.type) {
    case "request": {
      const under = [item.model, item.mode, item.reasoning, item.by]
        .flatMap((word) => word ?? [])
        .map(visibleLine);
      const head = [`Request ${item.turn}`, timeWords(item.at), ...under].join(" · ");
      return ["", style.bold(head), ...messageLines(item)];
    }
    case "message":
      return [...(item.by === undefined ? [] : [style.dim(visibleLine(item.by))]), ...messageLines(item)];
    case "text":
      return verbose ? whole(item.text) : beginning(item.text);
    case "reasoning":
      return verbose ? whole(item.text).map(style.dim) : [];
    case "call":
      return callLines(item, view);
    case "answer":
      return answerLines(item, style);
    case "note":
      return [style.dim(`· ${short(item.text)}`)];
    case "compaction":
      return compactionLines(item, view);
    case "ending":
      return endingLines(item, view);
    default:
      return item satisfies never;
  }
}

function messageLines({ text, images }: { text: string; images: number }): string[] {
  const pictures = images === 0 ? [] : [`[${images} ${images === 1 ? "image" : "images"}]`];
  const lines = text.trim() === "" ? [] : visibleText(text).split("\n");
  return [...lines, ...pictures].map((line) => `> ${line}`);
}

/** Without --verbose: the lines shown of an answer, and the characters of one line. */
const fewLines = 3;
const mostCharacters = 160;

const whole = (text: string): string[] => visibleText(text.trim()).split("\n");

function beginning(text: string): string[] {
  const lines = whole(text);
  const cut = lines.slice(0, fewLines).map(shortLine);
  return lines.length > fewLines ? [...cut, `… (${lines.length - fewLines} more lines)`] : cut;
}

const short = (text: string): string => shortLine(visibleLine(text.trim()));
const shortLine = (line: string): string =>
  line.length <= mostCharacters ? line : `${line.slice(0, mostCharacters - 1).trimEnd()}…`;

function callLines(call: TimelineCall, { style, verbose }: TimelineView): string[] {
  const { title, outcome, changes, decision, asked, answered, question, said, held } = call;
  const badges = changes.map(({ path, added, removed }) => `${visibleLine(path)} +${added} −${removed}`);
  const state = outcome ?? (asked && !answered ? "waits for an answer" : "open");
  const paint = outcome === "ok" ? style.green : style.yellow;
  const why = decision && !asked ? [`${decision.verdict}: ${short(decision.because)}`] : [];
  const isTold = verbose || (outcome !== undefined && outcome !== "ok");
  const told = isTold && said.trim() !== "" ? (verbose ? whole(said) : beginning(said)) : [];
  return [
    `${style.cyan("●")} ${short(title)} … ${paint(state)}${badges.length > 0 ? `  ${badges.join(", ")}` : ""}`,
    ...why.map((line) => style.dim(`    ${line}`)),
    ...(asked ? [style.dim(`    asked: ${short(asked.because)}`)] : []),
    ...(answered ? [style.dim(`    answered: ${answerWords(answered)}`)] : []),
    ...(held === undefined ? [] : [style.dim(`    held: ${short(held)}`)]),
    ...(verbose && asked ? whole(asked.preview).map((line) => `    ${line}`) : []),
    ...(question ? questionLines(question) : []),
    ...told.map((line) => style.dim(`    ${line}`)),
  ];
}

const answerWords = ({ answer, scope, by, note, command }: NonNullable<TimelineCall["answered"]>): string =>
  `${answer} (${scope}, by ${visibleLine(by)})${note === undefined ? "" : `: ${short(note)}`}${command === undefined ? "" : `, changed to: ${short(command)}`}`;

const questionLines = ({ question, choices, reply, by }: NonNullable<TimelineCall["question"]>): string[] => [
  `    ? ${short(question)}${choices.length > 0 ? ` [${choices.map(visibleLine).join(" | ")}]` : ""}`,
  ...(reply === undefined ? [] : [`    → ${short(reply)}${by === undefined ? "" : ` (${visibleLine(by)})`}`]),
];

function answerLines(item: TimelineItem & { type: "answer" }, style: Style): string[] {
  const { usage, cost, failure, reason, model } = item;
  const used = usage ? `${formatUsage(usage)} · ` : "";
  const ended = reason === "stop" || reason === "tool-calls" ? "" : ` · ${reason}`;
  const paid = usage || cost.dollars > 0 || cost.unknown === 0 ? formatCost(cost) : "cost unknown";
  return [
    ...(failure === undefined ? [] : [style.yellow(`! The answer broke off: ${short(failure)}`)]),
    style.dim(`  [${visibleLine(model)} · ${used}${paid}${ended}]`),
  ];
}

function compactionLines(
  item: TimelineItem & { type: "compaction" },
  { style, verbose }: TimelineView,
): string[] {
  const { because, tokensBefore, tokensAfter, summary, cost } = item;
  const line = `· Shortened for the model (${because}): ${tokensBefore} → ${tokensAfter} tokens · ${formatCost(cost)}`;
  return [style.dim(line), ...(verbose ? whole(summary).map(style.dim) : [])];
}

function endingLines(item: TimelineItem & { type: "ending" }, { style, diffs }: TimelineView): string[] {
  const { turn, stopped, because, changed, verified, usage, cost } = item;
  const files = changed.length === 0 ? "" : ` · changed ${changed.map(visibleLine).join(", ")}`;
  const checked = verified.length === 0 ? "" : ` · ${verified.length} checks since the last change`;
  const why = because === undefined || stopped === "interrupted" ? "" : ` (${short(because)})`;
  const paint = stopped === "done" ? style.green : style.yellow;
  return [
    ...(diffs.get(turn) ?? []),
    `${paint(`= ${stopped}`)}${why}${files}${checked} · ${formatUsage(usage)} · ${formatCost(cost)}`,
  ];
}
