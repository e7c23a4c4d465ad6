/** The rows of each block on a screen, but for text of the model, which is Markdown. */

import { countOf } from "../../base/amounts.ts";
import { visibleLine, visibleText } from "../../base/visible-text.ts";
import {
  type AskedBlock,
  type Block,
  type CallBlock,
  goOnLine,
  type QuestionBlock,
  withoutReason,
} from "../../view/blocks.ts";
import { askedLines, replyWords } from "../../view/message-lines.ts";
import { answerWords, badgeText, blockLines, callOutput } from "../../view/plain.ts";
import type { Style } from "../../view/style.ts";
import type { KeyBindings } from "../input/key-bindings.ts";
import { clippedRow, styledRows } from "../styled-rows.ts";
import { diffCardRows } from "./diff-card-rows.ts";
import { hintsOf, keyHint } from "./key-hints.ts";
import { spentWords } from "./subagent-rows.ts";

/** `bindings`: what the keys do, for hints; the usual ones by default. */
export type RowLayout = { style: Style; columns: number; bindings?: KeyBindings | undefined };

/** A message of the person is shown whole up to this many rows: they know what they have written. */
const mostSaid = 12;
/** Rows of a change, as it was approved, that stay above in the conversation. */
const mostOfChange = 16;
/** Rows of a command's output, when it has ended well. */
const mostOfOutput = 3;

/** What stands below a call has its own indentation. */
const underCall = { first: "", rest: "      " };

export const indentedRows = (line: string, { columns }: RowLayout, rest = "    "): string[] =>
  styledRows(line, columns, { first: "  ", rest });

export function saidRows(
  { text, images, by }: { text: string; images: number; by?: string },
  layout: RowLayout,
): string[] {
  const { style, columns } = layout;
  const pictures = images === 0 ? [] : [`[${images} ${images === 1 ? "picture" : "pictures"}]`];
  const author = by === undefined ? [] : [`${visibleLine(by)}:`];
  const lines = [...author, ...(text === "" ? [] : visibleText(text).split("\n")), ...pictures];
  const rows = lines.flatMap((line, at) =>
    styledRows(style.bold(line), columns, { first: at === 0 ? style.bold("> ") : "  ", rest: "  " }),
  );
  const left = rows.length - mostSaid;
  return left > 1 ? [...rows.slice(0, mostSaid), style.dim(`  … ${left} more rows`)] : rows;
}

/** "● Read src/a.ts, src/b.ts". */
export function quietRows(calls: readonly CallBlock[], layout: RowLayout): string[] {
  const groups: { verb: string; objects: string[] }[] = [];
  for (const { title } of calls) {
    const [, verb = "", object = ""] = /^(\S+) (.+)$/su.exec(visibleLine(title)) ?? [];
    const last = groups.at(-1);
    if (verb === "") groups.push({ verb: visibleLine(title), objects: [] });
    else if (last?.verb === verb) last.objects.push(object);
    else groups.push({ verb, objects: [object] });
  }
  const words = groups.map(({ verb, objects }) => [verb, objects.join(", ")].join(" ").trim());
  return words.flatMap((line) => indentedRows(`${layout.style.cyan("●")} ${line}`, layout));
}

export function callRows(call: CallBlock, layout: RowLayout): string[] {
  const { style } = layout;
  const output = callOutput(call, style);
  const left = call.state === "ok" && call.does === "execute" ? output.length - mostOfOutput : 0;
  const shown = left <= 0 ? output : output.slice(left);
  const before = [
    `${countOf((call.left ?? 0) + left, "line")} before`,
    ...hintsOf(layout, "last-output", "all"),
  ];
  const rest = left <= 0 ? [] : [style.dim(`    … ${before.join(" · ")}`)];
  return [
    ...indentedRows(
      `${callMark(call, style)} ${visibleLine(call.title)}${endOf(call, style)}${style.dim(spentWords(call))}`,
      layout,
    ),
    ...[...rest, ...shown].flatMap((line) => styledRows(line, layout.columns, underCall)),
    ...madeRows(call, layout),
  ];
}

/** The beginning of a change that nobody was asked about. */
function madeRows({ diff, moreDiff = 0, badge }: CallBlock, layout: RowLayout): string[] {
  if (!diff || !badge) return [];
  const rows = diffCardRows(diff.join("\n"), layout);
  const left = Math.max(0, rows.length - mostOfChange) + moreDiff;
  if (left <= 1) return rows;
  const more = [countOf(left, "more row"), ...hintsOf(layout, "last-output", "all")].join(" · ");
  return [...rows.slice(0, mostOfChange), layout.style.dim(`    … ${more}`)];
}

function callMark({ state }: CallBlock, style: Style): string {
  if (state === "ok") return style.cyan("●");
  return state === "failed" || state === "invalid" || state === "timeout"
    ? style.red("●")
    : style.yellow("●");
}

/** What is worth saying of how a call ended: nothing, if it went well. */
function endOf(call: CallBlock, style: Style): string {
  const { badge, staged, held, state, because } = call;
  const said = held === undefined ? "" : ` · ${visibleLine(held)}`;
  const lines = badge ? `  ${badgeText(badge, style)}` : "";
  const proposed = !badge && staged ? `  ${style.dim("staged")} ${badgeText(staged, style)}` : "";
  const why = because === undefined || said !== "" ? "" : `: ${visibleLine(because)}`;
  const words = state === "denied" ? style.yellow(` · ${state}${why}`) : style.red(` · ${state}`);
  return `${lines}${proposed}${said}${state === "ok" ? "" : words}`;
}

/** What was asked about a call, as it was answered. */
export function answeredRows(question: QuestionBlock, layout: RowLayout): string[] {
  const { style, columns } = layout;
  const { answer } = question;
  // The call's own row says why it was denied.
  const told =
    !answer || answer.answer === "deny"
      ? []
      : styledRows(`    ${answerWords(question, answer, style)}`, columns, underCall);
  const change = question.isDiff ? diffCardRows(question.preview, layout) : [];
  const left = change.length - mostOfChange;
  const shown = left > 1 ? [...change.slice(0, mostOfChange), style.dim(`    … ${left} more rows`)] : change;
  return [...shown, ...told];
}

/** "● Asked: which database → PostgreSQL"; of a plan its steps, and what became of it. */
export function repliedRows(asked: AskedBlock, layout: RowLayout): string[] {
  const { style } = layout;
  const { reply } = asked;
  if (!reply) return [];
  const words = replyWords(asked, reply, style);
  const [question = ""] = visibleText(asked.question.trim()).split("\n");
  if (!asked.steps)
    return indentedRows(`${style.cyan("●")} Asked: ${question} ${style.dim("→")} ${words}`, layout);
  const { steps = asked.steps } = reply;
  const { reply: _, ...proposed } = asked;
  return [...askedLines({ ...proposed, steps }, style), `  ${words}`].flatMap((line) =>
    indentedRows(line, layout),
  );
}

/** The rest: lines as the line conversation has them. */
export function otherRows(block: Block, layout: RowLayout, { isSaid }: { isSaid: boolean }): string[] {
  const told = block.type === "ending" && isSaid ? withoutReason(block) : block;
  const goOn = block.type === "ending" && block.stopped === "limit" ? [goOnLine] : [];
  return [...blockLines(told, layout.style), ...goOn].flatMap((line) => indentedRows(line, layout));
}

/** Reasoning is folded to its first words; all of it is shown on request. */
export function thoughtRows({ text, open }: { text: string; open: boolean }, layout: RowLayout): string[] {
  const { style, columns } = layout;
  const lines = visibleLine(text.trim())
    .split("⏎")
    .filter((line) => line.trim() !== "");
  if (lines.length === 0) return [];
  const words = open ? lines.at(-1) : lines[0];
  const hints = [`${lines.length} lines`, keyHint(layout, "last-output")].filter((hint) => hint !== "");
  const more = lines.length === 1 ? "" : ` · ${hints.join(" · ")}`;
  const head = open ? "Thinking" : "Thought";
  const space = Math.max(10, columns - head.length - more.length - 8);
  return [`  ${style.dim(`∴ ${head}: ${clippedRow(words ?? "", space)}${more}`)}`];
}
