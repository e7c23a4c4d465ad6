/** Formats each block for a line-based terminal, with and without colour. */

import { durationInWords } from "../base/amounts.ts";
import { visibleLine, visiblePreview, visibleText } from "../base/visible-text.ts";
import { withAdvice } from "../protocol/advice.ts";
import { byPerson, nobody } from "../protocol/fact-words.ts";
import type { Entry, FactOf, Signal } from "../protocol/facts.ts";
import { stagedForMs } from "../protocol/fold-staged.ts";
import type { Repair } from "../protocol/messages.ts";
import type { Badge, Block, CallBlock, EndingBlock, Extent, QuestionBlock, UndoneBlock } from "./blocks.ts";
import { containmentWords, undoWords } from "./containment.ts";
import { culpritWords } from "./culprit.ts";
import { diffRows, textRows } from "./diff-card.ts";
import { askedLines, eventLines, limitLines, queuedLines, todoLines } from "./message-lines.ts";
import type { Style } from "./style.ts";
import { keptWords, waitingWords } from "./waiting-changes.ts";
import { wrapSentence } from "./wrap-sentence.ts";

export { type Style, styleFor } from "./style.ts";

/**
 * The lines of a block, without line ends. Text and reasoning are given whole; while they stream, `tui/line/printer.ts`
 * writes them.
 */
export function blockLines(block: Block, style: Style): string[] {
  switch (block.type) {
    case "user":
      return userLines(block).map((line) => style.bold(line));
    case "reasoning":
      return visibleText(block.text)
        .split("\n")
        .map((line) => style.dim(line));
    case "text":
      return visibleText(block.text).split("\n");
    case "call":
      return callLines(block, style);
    case "question":
      return questionLines(block, style);
    case "queued":
      return queuedLines(block, style);
    case "asked":
      return askedLines(block, style);
    case "limit":
      return limitLines(block, style);
    case "todos":
      return todoLines(block, style);
    case "event":
      return eventLines(block, style);
    case "warning":
      return [style.yellow(`! ${visibleLine(block.text)}`)];
    case "failure":
      return block.text === undefined
        ? []
        : [style.yellow(`! The answer broke off: ${visibleLine(block.text)}`)];
    case "retry":
      return [
        style.dim(
          `… ${visibleLine(block.because)} Asking again in ${seconds(block.waitMs)} (attempt ${block.attempt}).`,
        ),
      ];
    case "undone":
      return [undoneLine(block)];
    case "kept":
      return [
        block.files
          ? `Kept for good${byWords(block.by)} (request ${block.turn}): ${manyNames(block.files)}`
          : `Kept for good${byWords(block.by)}: the changes of request ${block.turn}`,
      ];
    case "ending":
      return endingLines(block, style);
    default:
      return block satisfies never;
  }
}

function undoneLine({ turn, files, parts, again, by }: UndoneBlock): string {
  const names = files.map((path) => (parts.includes(path) ? `${path} (in part)` : path));
  return `${again ? "↷ Redone" : "↶ Undone"}${byWords(by)} (request ${turn}): ${manyNames(names)}`;
}

export const byWords = (by: string | undefined): string => (by === undefined ? "" : ` by ${visibleLine(by)}`);

/** A formatter can change very many files. */
const shownNames = 10;

function manyNames(names: readonly string[]): string {
  const left = names.length - shownNames;
  const shown = names.slice(0, left > 0 ? shownNames : undefined).map(visibleLine);
  return `${shown.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

function userLines({ text, images, by }: { text: string; images: number; by?: string }): string[] {
  const author = by === undefined ? [] : [`${visibleLine(by)}:`];
  const lines = text === "" ? [] : visibleText(text).split("\n");
  const pictures = images === 0 ? [] : [`[${images} ${images === 1 ? "image" : "images"}]`];
  return [...author, ...lines, ...pictures].map((line) => `> ${line}`);
}

/** "● Read src/a.ts", printed before the outcome is known. */
export function callTitle(call: CallBlock, style: Style): string {
  return `${style.cyan("●")} ${visibleLine(call.title)}`;
}

function callBadge({ badge, staged }: CallBlock, style: Style): string {
  if (badge) return ` ${badgeText(badge, style)}`;
  return staged ? ` ${style.dim("staged")} ${badgeText(staged, style)}` : "";
}

/** " … ok +2 −1", or the call's progress; empty while there is nothing to report. */
export function callOutcome(call: CallBlock, style: Style): string {
  const held = call.held === undefined ? "" : ` · ${visibleLine(call.held)}`;
  const badge = callBadge(call, style) + held;
  switch (call.state) {
    case "pending":
    case "writing":
    case "running":
      return " …";
    case "asking":
      return ` … ${style.yellow(held === "" ? "waiting for your answer" : `has run${held}`)}`;
    case "ok":
      return ` … ${style.green("ok")}${badge}`;
    case "denied":
      if (held !== "") return ` … ${style.yellow(`has run${held}`)}`;
      return ` … ${style.yellow(call.because === undefined ? "denied" : `denied: ${visibleLine(call.because)}`)}`;
    case "cancelled":
    case "interrupted":
      return ` … ${style.yellow(call.state)}${badge}`;
    case "failed":
    case "invalid":
    case "timeout":
      return ` … ${style.red(call.state)}${badge}`;
    default:
      return call.state satisfies never;
  }
}

/** The extra lines of --verbose: the reason for each decision, what was repaired, and what ran before its turn. */
export function reasonLines(event: Entry | Signal, style: Style): string[] {
  if (event.type === "decision") return [style.dim(`  ${event.verdict}: ${visibleText(event.because)}`)];
  const { repairs = [] } = event.type === "call" ? event.call : event.type === "call-start" ? event : {};
  const ahead = event.type === "call-start" ? event.ahead : undefined;
  return [
    ...(repairs.length === 0 ? [] : [style.dim(`  mended: ${mendedWords(repairs)}`)]),
    ...(ahead ? [style.dim(`  ${aheadWords(ahead)}`)] : []),
  ];
}

const aheadWords = ({ ms, lost }: NonNullable<FactOf<"call-start">["ahead"]>): string =>
  lost
    ? `run again: it had run for ${durationInWords(ms)} before its turn, and may have missed a change`
    : `ran for ${durationInWords(ms)} before its turn`;

/** The end of a call's output, where a person needs it: a command's output, or what went wrong. */
export function callOutput(call: CallBlock, style: Style): string[] {
  const wrong = call.state === "failed" || call.state === "timeout" || call.state === "invalid";
  const unexplained = call.state === "denied" && call.because === undefined;
  const told = wrong || unexplained || (call.does === "execute" && hasPrinted(call));
  const gone = [...stagedLines(call, style), ...uncoveredLines(call, style)];
  if (!told) return gone;
  const before =
    call.left === undefined ? [] : [`… ${call.left} ${call.left === 1 ? "line" : "lines"} before`];
  const after = call.more === undefined ? [] : [`… ${linesMore(call.more)}`];
  const shown = call.output.map((line) => visibleLine(line.replace(/\r+$/u, "")));
  const lines = [...before, ...shown, ...after];
  return [...lines.map((line) => style.dim(`    ${line}`)), ...gone];
}

/** What it had printed until it was interrupted counts as well. */
const hasPrinted = ({ state }: CallBlock): boolean =>
  state === "ok" || state === "cancelled" || state === "interrupted";

/** The staged diff; the call's own line already says that it is only staged. */
function stagedLines({ diff = [], moreDiff, badge }: CallBlock, style: Style): string[] {
  if (badge) return [];
  const lines = diffRows(diff.map(visibleLine), style, Infinity);
  return moreDiff === undefined ? lines : [...lines, style.dim(`    … ${linesMore(moreDiff)} of the diff`)];
}

const linesMore = (count: number): string => `${count} more ${count === 1 ? "line" : "lines"}`;

/** Reports in one line, where it happened, what undo cannot revert. */
function uncoveredLines({ uncovered = [] }: CallBlock, style: Style): string[] {
  if (uncovered.length === 0) return [];
  const left = uncovered.length - shownUncovered;
  const shown = uncovered.slice(0, shownUncovered).map(visibleLine).join("; ");
  return [style.yellow(`    ! Undo does not cover: ${shown}${left > 0 ? `; and ${left} more` : ""}`)];
}

const shownUncovered = 3;

const callLines = (call: CallBlock, style: Style): string[] => [
  callTitle(call, style) + callOutcome(call, style),
  ...callOutput(call, style),
];

/**
 * The whole question; once answered, the answer is its last line. Explanations are wrapped between words; where the text
 * to be approved does not fit, a mark says that the row goes on.
 */
export function questionLines(
  question: Omit<QuestionBlock, "type" | "key">,
  style: Style,
  columns = Infinity,
): string[] {
  const { repairs, because, sandbox, answer, waiting } = question;
  const risk = question.risk === "none" ? "" : ` · risk: ${question.risk}`;
  const sentences = [
    ...(repairs ? [`Mended in the call: ${mendedWords(repairs)}`] : []),
    `Reason: ${visibleLine(because)}${risk}`,
    ...culpritWords(question),
    ...(waiting ? waitingWords(waiting).map(visibleLine) : []),
    ...(sandbox && !waiting ? [`If allowed, it ${containmentWords(sandbox, because)}`] : []),
    ...(sandbox?.undo ? [undoWords(sandbox) ?? ""] : []),
    ...(answer ? [] : [coverLine(question)]),
  ];
  return [
    ...titleAndPreview(question, style, columns),
    ...sentences.flatMap((sentence) => wrapSentence(sentence, { columns, indent: 2 })),
    ...(answer ? [`  ${answerWords(question, answer, style)}`] : []),
  ];
}

function coverLine({
  scopes = ["once", "turn", "session"],
  grant,
}: Pick<QuestionBlock, "scopes" | "grant">): string {
  const wider = scopes.filter((scope) => scope !== "once");
  const last = wider.pop();
  if (last === undefined) return "Allowing covers this one call only; you are asked every time.";
  const named = wider.length === 0 ? last : `${wider.join(", ")} or ${last}`;
  return `Yes for this ${named} covers: ${visiblePreview(grant).replaceAll("\n", "⏎")}`;
}

/** A malformed call can need very many repairs. */
const shownRepairs = 5;

/** The repairs to a call, in one line. */
export function mendedWords(repairs: readonly Repair[]): string {
  const told = repairs
    .slice(0, shownRepairs)
    .map(({ detail, guess }) => (guess ? `A guess: ${detail}` : detail));
  const left = repairs.length - told.length;
  return visibleLine([...told, ...(left > 0 ? [`And ${left} more.`] : [])].join(" "));
}

/** What a person has answered to the question, in one line. */
export function answerWords(
  { waiting }: Pick<QuestionBlock, "waiting">,
  told: NonNullable<QuestionBlock["answer"]>,
  style: Style,
): string {
  const { answer, scope, note, command, by } = told;
  if (waiting) return style.green(`Answered: ${visibleLine(keptWords(told))}.`);
  const what = command === undefined ? "" : `, changed to: ${visiblePreview(command).replaceAll("\n", "⏎")}`;
  if (answer === "allow")
    return style.green(`Allowed${scope === "once" ? "" : ` for this ${scope}`}${what || "."}`);
  if (by === nobody) return style.yellow("Refused: nobody answered in time.");
  return style.yellow(note === undefined ? "Refused." : `Refused: ${visibleLine(note)}`);
}

/** Shows the text to be approved in full and exactly once: in the title if it is one line, otherwise below it. */
function titleAndPreview(
  question: Pick<QuestionBlock, "title" | "preview" | "isDiff">,
  style: Style,
  columns: number,
): string[] {
  const { title, preview } = question;
  const heading = (words: string): string => style.bold(style.yellow(`? ${visibleLine(words)}`));
  if (!preview.includes("\n") && title.endsWith(` ${preview}`)) return [heading(title)];
  const [first = ""] = title.split("\n", 1);
  return [heading(first === title ? title : `${first} …`), ...previewLines(question, style, columns)];
}

/** The whole preview, indented; a diff is coloured. */
export function previewLines(
  { preview, isDiff }: Pick<QuestionBlock, "preview" | "isDiff">,
  style: Style,
  columns: number,
): string[] {
  const lines = visiblePreview(preview).split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (isDiff) return diffRows(lines, style, columns);
  return lines.flatMap((line) => textRows(line, columns));
}

/** Empty for a turn that completed and changed nothing. */
function endingLines(ending: EndingBlock, style: Style): string[] {
  const parts = [
    stoppedPart(ending, style),
    changedPart(ending, style),
    verifiedPart(ending),
    stagedPart(ending, style),
  ].filter((part) => part !== "");
  const reverted = takenBack[ending.undone];
  return parts.length === 0 ? [] : [[...parts, ...reverted].join(" · ")];
}

const takenBack: Readonly<Record<Extent, readonly string[]>> = {
  nothing: [],
  part: ["partly undone"],
  all: ["undone since"],
};

function stoppedPart({ stopped, because, advice }: EndingBlock, style: Style): string {
  const reason = because === undefined ? "" : `: ${visibleLine(withAdvice(because, advice))}`;
  switch (stopped) {
    case "done":
      return because === undefined ? "" : style.yellow(`Done, but ${visibleLine(because)}`);
    case "interrupted":
      return style.yellow(because === byPerson ? "Interrupted" : `Interrupted${reason}`);
    case "failed":
      return style.red(`Failed${reason}`);
    case "limit":
      return style.yellow(`Stopped${reason}`);
    default:
      return stopped satisfies never;
  }
}

function changedPart({ changed, isDeletion, badge }: EndingBlock, style: Style): string {
  if (changed.length === 0) return "";
  return `${isDeletion ? "Deleted" : "Changed"} ${someFiles(changed)} ${badgeText(badge, style)}`;
}

function someFiles(paths: readonly string[]): string {
  const [first = ""] = paths;
  return paths.length === 1 ? visibleLine(first) : `${paths.length} files`;
}

function verifiedPart({ changed, verified, check }: EndingBlock): string {
  if (changed.length === 0) return "";
  return verified.length === 0 ? unverifiedText(check) : `verified by ${verified.map(shortTitle).join(", ")}`;
}

export const unverifiedText = (check: string | undefined): string =>
  check === undefined ? "not verified" : `not verified (${shortTitle(check)} would)`;

/** The call's own line shows the full title. */
const mostTitle = 60;

function shortTitle(title: string): string {
  const characters = Array.from(visibleLine(title));
  return characters.length <= mostTitle
    ? characters.join("")
    : `${characters.slice(0, mostTitle - 1).join("")}…`;
}

/** Staged changes are applied only on request, so this line must not look like a change already made. */
function stagedPart({ staged }: EndingBlock, style: Style): string {
  if (!staged) return "";
  const ask = `ask to apply it within ${stagedForMs / 60_000} minutes`;
  return `${style.yellow("Staged, not applied:")} ${someFiles(staged.files)} ${badgeText(staged.badge, style)} (${ask})`;
}

export const badgeText = ({ added, removed }: Badge, style: Style): string =>
  `${style.green(`+${added}`)} ${style.red(`−${removed}`)}`;

const seconds = (ms: number): string => `${ms < 1000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
