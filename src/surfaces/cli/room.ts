/** What every subcommand is given, and the few things that all of them do alike. */

import type { Config } from "../../runtime/config/config.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { visibleLine } from "../view/visible.ts";
import type { Terminal } from "./terminal.ts";
import { wrapLine } from "./word-wrap.ts";

export type CliRoom = {
  terminal: Terminal;
  settings: Config;
  /** Instead of the one that the settings would choose. */
  model?: Runtime["model"];
};

export const exitCodes = { done: 0, failed: 1, usage: 2, denied: 3, limit: 4, interrupted: 130 } as const;

/** One line on standard error: what happened and what to do next. A terminal gets it by its rows. */
export function complain(terminal: Terminal, problem: string): void {
  const line = `toolwright: ${visibleLine(problem)}`;
  const rows = terminal.errorIsTerminal ? wrapLine(line, terminal.columns()) : [line];
  terminal.report(`${rows.join("\n")}\n`);
}

/** Lines of a report or list; a terminal gets them by their rows. */
export function printLines(terminal: Terminal, lines: readonly string[]): void {
  const rows = terminal.outputIsTerminal
    ? lines.flatMap((line) => wrapLine(line, terminal.columns()))
    : lines;
  terminal.print(`${rows.join("\n")}\n`);
}

/** Such a line about words that cannot be meant; the exit code of that. */
export function usageError(terminal: Terminal, problem: string): number {
  complain(terminal, problem);
  return exitCodes.usage;
}

/** The exit code where something did not open: a model that can never be meant is an error of usage. */
export async function notOpenedCode({ settings, terminal }: CliRoom): Promise<number> {
  const { misnamed } = await import("../../runtime/models/models.ts");
  return misnamed(settings, terminal.env) === undefined ? exitCodes.failed : exitCodes.usage;
}

/** The rows of a table in columns, two spaces apart; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  "),
  );
}
