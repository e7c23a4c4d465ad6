/** The context given to every subcommand, and the helpers that all of them share. */

import { jsonLine } from "../base/json-lines.ts";
import { visibleLine } from "../base/visible-text.ts";
import type { Config } from "../configuration/config.ts";
import { inFlags } from "../configuration/options/flag-words.ts";
import type { Values } from "../configuration/options/options.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { wrapLine } from "../tui/line/word-wrap.ts";
import type { ProcessTerminal } from "../tui/process-terminal.ts";

/** What stands behind a command of the command line. */
export type CommandWords = { words: readonly string[]; flags: Values };

export type CliContext = {
  terminal: ProcessTerminal;
  settings: Config;
  /** The options given on the command line, to repeat them in a command. */
  given?: Values;
  /** Overrides the model chosen by the settings. */
  model?: Runtime["model"];
  /** A line above the first prompt, for whoever is new. */
  hint?: string;
};

export const exitCodes = { done: 0, failed: 1, usage: 2, denied: 3, limit: 4, interrupted: 130 } as const;

/** Prints one line on standard error: what happened and what to do next, options by their flags. Wrapped for a terminal. */
export function complain(terminal: ProcessTerminal, problem: string): void {
  const line = `toolwright: ${visibleLine(inFlags(problem))}`;
  const rows = terminal.errorIsTerminal ? wrapLine(line, terminal.columns()) : [line];
  terminal.report(`${rows.join("\n")}\n`);
}

/** Prints the lines of a report or list, wrapped for a terminal. */
export function printLines(terminal: ProcessTerminal, lines: readonly string[]): void {
  const rows = terminal.outputIsTerminal
    ? lines.flatMap((line) => wrapLine(line, terminal.columns()))
    : lines;
  terminal.print(`${rows.join("\n")}\n`);
}

/** Prints what was asked for: for people a text, or lines that a terminal wraps; for programs one line of JSON. */
export function printAnswer(
  { terminal, settings }: Pick<CliContext, "terminal" | "settings">,
  value: unknown,
  text: () => string | readonly string[],
): number {
  const told = settings.output === "text" ? text() : jsonLine(value);
  if (typeof told === "string") terminal.print(`${told}\n`);
  else printLines(terminal, told);
  return exitCodes.done;
}

/** Prints a problem, and returns the exit code of what failed by it. */
export function failWith(
  terminal: ProcessTerminal,
  problem: string,
  code: number = exitCodes.failed,
): number {
  complain(terminal, problem);
  return code;
}

/** Prints a usage error and returns its exit code. */
export const usageError = (terminal: ProcessTerminal, problem: string): number =>
  failWith(terminal, problem, exitCodes.usage);

/** The exit code after a failed start: a model name that can never be valid is a usage error. */
export async function notOpenedCode({ settings, terminal }: CliContext): Promise<number> {
  const { namingProblem } = await import("../runtime/models/models.ts");
  return namingProblem(settings, terminal.env) === undefined ? exitCodes.failed : exitCodes.usage;
}

/** Aligns the rows of a table in columns, two spaces apart; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  "),
  );
}
