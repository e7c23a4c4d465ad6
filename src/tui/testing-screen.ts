/** For tests: a terminal's screen, with what has scrolled off above it. */

import { mib } from "../base/bound.ts";
import { TerminalScreen } from "../base/terminal/screen.ts";

export type EmulatedTerminal = {
  print(text: string): void;
  columns(): number;
  rows(): number;
  /** All rows, from the first that was ever printed; without the empty ones at the end. */
  all(): string[];
  /** The rows that are in sight. */
  present(): string[];
  /** Both from 1. */
  cursor(): { row: number; column: number };
  /** Everything that was written. */
  written(): string;
};

export function emulatedTerminal(columns: number, rows: number): EmulatedTerminal {
  const screen = new TerminalScreen({ columns, rows, space: mib, answer: () => undefined });
  let written = "";
  return {
    print(text) {
      written += text;
      screen.write(Buffer.from(text));
    },
    columns: () => columns,
    rows: () => rows,
    all() {
      const lines = screen.since(0).map((line) => line.trimEnd());
      return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
    },
    present: () => screen.present(),
    cursor: () => screen.cursor,
    written: () => written,
  };
}
