/** What every subcommand is given, and the few things that all of them do alike. */

import type { Config } from "../../runtime/config/config.ts";
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

/** Such a line about words that cannot be meant; the exit code of that. */
export function usageError(terminal: Terminal, problem: string): number {
  complain(terminal, problem);
  return exitCodes.usage;
}

/** The exit code where something did not open: words that can never be meant are an error of usage. */
export async function codeOf(problem: string, { settings, terminal }: CliRoom): Promise<number> {
  const { misnamed } = await import("../../runtime/models/models.ts");
  return misnamed(settings, terminal.env) === problem ? exitCodes.usage : exitCodes.failed;
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
