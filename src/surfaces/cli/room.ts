/** What every subcommand is given, and the few things that all of them do alike. */
import type { Config } from "../../runtime/config.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { visibleLine } from "../view/visible.ts";
import type { Terminal } from "./terminal.ts";

export type CliRoom = {
  terminal: Terminal;
  settings: Config;
  /** Instead of the one that the settings would choose. */
  model?: Runtime["model"];
};

export const exitCodes = { done: 0, failed: 1, usage: 2, denied: 3, limit: 4, interrupted: 130 } as const;

/** One line on standard error: what happened and what to do next. */
export function complain(terminal: Terminal, problem: string): void {
  terminal.report(`toolwright: ${visibleLine(problem)}\n`);
}

/** An exception as such a line; the stack only with --verbose. */
export function complainOf(terminal: Terminal, error: unknown, verbose: boolean): void {
  complain(terminal, error instanceof Error ? error.message : String(error));
  if (verbose && error instanceof Error && error.stack) terminal.report(`${error.stack}\n`);
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
