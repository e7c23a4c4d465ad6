/** Formats a judged command as lines for people and as JSON for programs. */

import { visiblePreview } from "../../base/visible-text.ts";
import type { JudgedCommand } from "../../runtime/inspecting/judged-command.ts";
import { containmentWords } from "../../view/containment.ts";
import { type Style, styleFor } from "../../view/plain.ts";
import { type CliContext, columns, printAnswer } from "../cli-context.ts";

type CommandVerdict = JudgedCommand["decision"]["verdict"];

type Headline = { words: string; paint: keyof Style };

const verdicts: Readonly<Record<CommandVerdict, Headline>> = {
  allow: { words: "runs without a question", paint: "green" },
  ask: { words: "asks first", paint: "yellow" },
  "ask-always": { words: "always asks, even if similar commands were allowed", paint: "red" },
  deny: { words: "is denied", paint: "red" },
};

const trial: Headline = {
  words: "runs without a question, and what it changed is decided on before it is kept",
  paint: "yellow",
};

export function printJudged(
  { terminal, settings }: Pick<CliContext, "terminal" | "settings">,
  judged: JudgedCommand,
): number {
  const style = styleFor(terminal.env, terminal.outputIsTerminal);
  return printAnswer({ terminal, settings }, judgedJson(judged), () =>
    judgedLines(judged, style).join("\n").trimEnd(),
  );
}

/** The full report: the verdict, each part, what it touches, where it runs, and the result of each policy layer. */
function judgedLines({ command, decision, judgement, place }: JudgedCommand, style: Style): string[] {
  const { verdict, because, risk, sandbox, offer, trace } = decision;
  const { words, paint } = verdict === "allow" && sandbox?.trial === true ? trial : verdicts[verdict];
  const where = place.directory === place.workspace ? [] : [`  in ${visible(place.directory)}`];
  return [
    ...shownCommand(command),
    ...where,
    "",
    `${style.bold(style[paint](`It ${words}`))} · risk: ${risk}`,
    `Why: ${visible(because)}`,
    ...(sandbox && verdict !== "deny"
      ? [`${verdict === "allow" ? "It" : "If allowed, it"} ${containmentWords(sandbox, because)}`]
      : []),
    ...(offer?.covers ? [`A wider yes would cover: ${visible(offer.words)}`] : []),
    "",
    ...section("Understood as:", partLines(judgement.parts)),
    ...section("It touches:", touchedLines(judgement.touched)),
    ...section("What each layer says:", columns(trace.map(traceRow))),
  ];
}

/** Limits the repeated command text, so that it does not push the verdict off the screen. */
const mostCharacters = 8_000;
const mostLines = 100;

function shownCommand(command: string): string[] {
  const lines = visiblePreview(command.slice(0, mostCharacters)).split("\n").slice(0, mostLines);
  const isCut = command.length > mostCharacters || command.split("\n", mostLines + 1).length > mostLines;
  return [...lines, ...(isCut ? [`… (${command.length} characters in all)`] : [])].map((line) => `  ${line}`);
}

/** On one line, with invisible characters made visible. */
const visible = (text: string): string => visiblePreview(text).replaceAll("\n", "⏎").replaceAll("\t", " ");

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ""];
}

type JudgedCommandParts = JudgedCommand["judgement"]["parts"];

/** Indents parts that do not run literally as written in the line. */
function partLines(parts: JudgedCommandParts): string[] {
  return columns(
    parts.map(({ severity, words, because, isPlain, row }) => [
      severity,
      `${isPlain ? "" : "  "}${visible(words)}`,
      [visible(because), ...(row === undefined ? [] : [`(${row})`])].join(" ").trim(),
    ]),
  ).map((line) => line.trimEnd());
}

const mostTouched = 30;

function touchedLines(touched: JudgedCommand["judgement"]["touched"]): string[] {
  const unique = [...new Set(touched.map(({ access, path }) => `${access}s\0${path}`))];
  const rows = unique.slice(0, mostTouched).map((row) => row.split("\0").map(visible));
  const more = unique.length - rows.length;
  return [...columns(rows), ...(more > 0 ? [`and ${more} more`] : [])];
}

const traceRow = ({ layer, verdict, because }: JudgedCommand["decision"]["trace"][number]): string[] => [
  visible(layer),
  verdict,
  visible(because),
];

/** The full report as JSON. */
function judgedJson({ command, decision, judgement, place }: JudgedCommand) {
  const { verdict, because, risk, sandbox, trace, offer } = decision;
  const { parts, touched, usesNetwork, needs } = judgement;
  const about = { command, ...place, verdict, severity: risk, because, profile: sandbox?.profile, sandbox };
  const told = parts.map((part) => ({ ...partJson(part), row: part.row }));
  return { ...about, parts: told, touched, usesNetwork, needs, trace, offer };
}

/** The short report for a line of `inspect command --jsonl`. */
export function judgedReport(id: unknown, { decision, judgement }: JudgedCommand) {
  const { verdict, because, risk } = decision;
  return { id, severity: risk, verdict, because, parts: judgement.parts.map(partJson) };
}

const partJson = ({ words, severity, because }: JudgedCommandParts[number]) => ({ words, severity, because });
