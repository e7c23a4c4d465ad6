/** For tests: a terminal's screen, with what has scrolled off above it, and its clock. */

import { onTestFinished, vi } from "vitest";
import { mib } from "../../base/bound.ts";
import { TerminalScreen } from "../../base/terminal/screen.ts";

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

const systemNow = performance.now.bind(performance);
let ahead = 0;

/** Lets so many milliseconds pass at once, for all that reads the monotonic clock, until the test is over. */
export function timePasses(ms: number): void {
  if (ahead === 0) {
    const clock = vi.spyOn(performance, "now").mockImplementation(() => systemNow() + ahead);
    onTestFinished(() => {
      ahead = 0;
      clock.mockRestore();
    });
  }
  ahead += ms;
}
