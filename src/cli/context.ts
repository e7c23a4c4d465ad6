/** `toolwright context` and `/context`: what fills the context, as a bar and a table. */

import { type ContextReport, readContext } from "../runtime/context-report.ts";
import { fillingName } from "../view/context-words.ts";
import { type Style, styleFor } from "../view/style.ts";
import { visibleLine } from "../view/visible.ts";
import { notOpenedCode, type CliContext, printAnswer } from "./cli-context.ts";
import { refuse } from "./sessions/words.ts";

/** Reads the stored session without disturbing a process that has it open. */
export async function runContext(context: CliContext): Promise<number> {
  const { terminal, settings } = context;
  const report = await readContext(settings, terminal.env);
  if (!report.ok) return refuse(context, report.problem, await notOpenedCode(context));
  const style = styleFor(terminal.env, terminal.outputIsTerminal);
  return printAnswer(context, report.value, () => contextLines(report.value, style).join("\n"));
}

const barWidth = 40;
const titleWidth = 44;

export function contextLines(report: ContextReport, style: Style): string[] {
  const { tokens, limit, largest } = report;
  const used = Math.min(barWidth, Math.round((tokens / limit) * barWidth));
  const bar = "█".repeat(used) + style.dim("░".repeat(barWidth - used));
  return [
    `${bar} ${count(tokens)} of ${count(limit)} tokens (${share(tokens, limit)})`,
    "",
    ...report.parts.filter((part) => part.tokens > 0).map((part) => partLine(part, tokens)),
    ...(largest.length === 0 ? [] : ["", "Largest results:", ...largest.map(resultLine)]),
    "",
    ...notes(report).map(style.dim),
  ];
}

function partLine({ of, tokens, count: many }: ContextReport["parts"][number], all: number): string {
  const number = of === "system" || of === "summary" ? "" : ` (${many})`;
  return `  ${(fillingName(of) + number).padEnd(26)}${count(tokens).padStart(10)}  ${share(tokens, all).padStart(5)}`;
}

function resultLine({ callId, name, title, tokens }: ContextReport["largest"][number]): string {
  const words = visibleLine(title === "" ? name : title);
  const short = words.length > titleWidth ? `${words.slice(0, titleWidth - 1)}…` : words;
  return `  ${count(tokens).padStart(10)}  ${short}  (${visibleLine(callId)})`;
}

function notes(report: ContextReport): string[] {
  const { counted, tokens, window, isAssumed, leftOut, compactions, model, makesRoomAt } = report;
  const how =
    counted > 0
      ? `The provider counted ${count(counted)}; ${count(Math.max(0, tokens - counted))} that came since are estimated.`
      : "All figures are estimates: the provider of this model has counted nothing yet.";
  const size = isAssumed
    ? `The context window of ${visibleLine(model)} is unknown; assuming ${count(window)} tokens. Set it with --context-tokens.`
    : `The window of ${visibleLine(model)} has ${count(window)}; the rest is for the answer.`;
  return [
    how,
    size,
    ...(leftOut > 0
      ? [`${resultsInWords(leftOut)} left out to save room; the model can read them again.`]
      : []),
    ...(compactions > 0 ? [`Summed up so far: ${compactions === 1 ? "once" : `${compactions} times`}.`] : []),
    `Shortened automatically at ${count(makesRoomAt)} tokens: old results first, then a summary. /compact does it now.`,
  ];
}

const resultsInWords = (results: number): string =>
  results === 1 ? "1 result is" : `${results} results are`;
const count = (tokens: number): string => tokens.toLocaleString("en");
const share = (part: number, whole: number): string => `${Math.round((part * 100) / Math.max(1, whole))} %`;
