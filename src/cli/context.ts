/** `toolwright context` and `/context`: what fills the context, as a bar and a table. */

import { visibleLine } from "../base/visible-text.ts";
import { type ContextReport, readContext } from "../runtime/context-report.ts";
import { fillingName } from "../view/context-words.ts";
import { type Style, styleFor } from "../view/style.ts";
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
    "The next prompt, without what you say in it:",
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
  const { counted, tokens, window, limit, isAssumed, leftOut, compactions, makesRoomAt } = report;
  const model = visibleLine(report.model);
  const since = count(Math.max(0, tokens - counted));
  const how =
    counted > 0
      ? `Of its ${count(tokens)} tokens the provider counted ${count(counted)} with the last answer; ${since} that came since, and the parts, are estimated.`
      : "All figures are estimates: there is no count by the provider yet, or none that can be the whole prompt.";
  const size = isAssumed
    ? `The context window of ${model} is unknown; assuming ${count(window)} tokens. Set it with --context-tokens.`
    : `The context window of ${model} has ${count(window)} tokens.`;
  const kept = `${size} ${count(window - limit)} of them are kept free for the answer.`;
  return [
    how,
    kept,
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
