/* eslint-disable no-control-regex -- control characters are what this is about */

import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { emulatedTerminal } from "../testing/screen.ts";
import { Painter, type Tail } from "./painter.ts";

const word = fc.constantFrom("a", "bc", "日本", "e\u0301", "word", "-", "\u001B[1mbold\u001B[22m", "👩‍👩‍👧");
const row = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
const tail: fc.Arbitrary<Tail> = fc
  .tuple(fc.array(row, { minLength: 1, maxLength: 7 }), fc.nat(), fc.nat(20))
  .map(([rows, at, column]) => ({ rows, cursor: { row: at % rows.length, column } }));
const frames = fc.array(fc.tuple(fc.array(row, { maxLength: 4 }), tail), { minLength: 1, maxLength: 12 });

const withoutColours = (text: string): string => stripVTControlCharacters(text).trimEnd();

const withoutLastEmpty = (rows: readonly string[]): string[] =>
  rows.slice(0, rows.findLastIndex((each) => each !== "") + 1);

test("whatever was painted before, the terminal shows all finished rows and then the tail", () => {
  fc.assert(
    fc.property(frames, (all) => {
      const terminal = emulatedTerminal(60, 10);
      const painter = new Painter(terminal);
      for (const [finished, each] of all) painter.paint(finished, each);
      const { rows: last, cursor } = all.at(-1)?.[1] ?? { rows: [], cursor: { row: 0, column: 0 } };
      const finished = all.flatMap(([some]) => some);
      expect(terminal.all()).toEqual(withoutLastEmpty([...finished, ...last].map(withoutColours)));
      const heights = all.map(
        ([, each], at) => all.slice(0, at + 1).flatMap(([some]) => some).length + each.rows.length,
      );
      const above = Math.max(0, Math.max(...heights) - 10);
      expect(terminal.cursor()).toEqual({
        row: finished.length + cursor.row - above + 1,
        column: cursor.column + 1,
      });
    }),
  );
});

/** The rows, from the first that was ever printed, into which a frame writes; `from`: where the cursor stands before it. */
function rowsWritten(frame: string, from: number): { rows: Set<number>; cursor: number } {
  const rows = new Set<number>();
  let at = from;
  for (const [, by, move, plain] of frame.matchAll(/\u001B\[\??([\d;]*)([A-Za-z])|([^\u001B]+)/gu)) {
    if (move === "A") at -= Number(by);
    else if (move === "B") at += Number(by);
    else if (move === "K" || move === "J") rows.add(at);
    for (const character of plain ?? "") {
      if (character === "\n") at += 1;
      else if (character !== "\r") rows.add(at);
    }
  }
  return { rows, cursor: at };
}

test("no frame writes into a row above the tail, and none clears the screen", () => {
  fc.assert(
    fc.property(frames, (all) => {
      const terminal = emulatedTerminal(60, 10);
      const painter = new Painter(terminal);
      let [above, cursor] = [0, 0];
      for (const [finished, each] of all) {
        const before = terminal.written().length;
        painter.paint(finished, each);
        const frame = terminal.written().slice(before);
        const written = rowsWritten(frame, cursor);
        expect(Math.min(...written.rows)).toBeGreaterThanOrEqual(above);
        expect(frame).not.toMatch(/\u001B\[[23]J|\u001Bc/u);
        above += finished.length;
        ({ cursor } = written);
        expect(cursor).toBe(above + each.cursor.row);
      }
    }),
  );
});

test("a finished row is written once, and an unchanged frame not at all", () => {
  const terminal = emulatedTerminal(40, 8);
  const painter = new Painter(terminal);
  const frame = (text: string): Tail => ({ rows: [text, "> typed"], cursor: { row: 1, column: 7 } });
  for (let at = 0; at < 30; at += 1) {
    painter.paint([`finished ${at}.`], frame(`open ${at}`));
    painter.paint([], frame(`open ${at}`));
  }
  for (let at = 0; at < 30; at += 1) expect(terminal.written().split(`finished ${at}.`)).toHaveLength(2);
  expect(terminal.written().split("\u001B[?2026h")).toHaveLength(31);
  expect(terminal.written()).not.toContain("\u001B[2J");
});

test("a change of one row rewrites that row alone", () => {
  const terminal = emulatedTerminal(40, 8);
  const painter = new Painter(terminal);
  painter.paint([], { rows: ["first", "second", "> "], cursor: { row: 2, column: 2 } });
  const before = terminal.written().length;
  painter.paint([], { rows: ["first", "changed", "> "], cursor: { row: 2, column: 2 } });
  const frame = terminal.written().slice(before);
  expect(frame).toContain("changed");
  expect(frame).not.toMatch(/first|>/u);
});

test("a tail that is higher than the terminal shows its end, where the person types", () => {
  const terminal = emulatedTerminal(40, 6);
  const painter = new Painter(terminal);
  const rows = Array.from({ length: 20 }, (_, at) => `row ${at}`);
  painter.paint(["before"], { rows: [...rows, "> "], cursor: { row: 20, column: 2 } });
  painter.paint(rows, { rows: ["> "], cursor: { row: 0, column: 2 } });
  expect(terminal.all()).toEqual(["before", ...rows, ">"]);
});

test("what a narrowed terminal has wrapped is wiped with the tail", () => {
  let columns = 40;
  const wide = emulatedTerminal(40, 10);
  const painter = new Painter({ ...wide, columns: () => columns });
  painter.paint(["finished"], { rows: ["x".repeat(39), "> typed"], cursor: { row: 1, column: 7 } });
  const before = wide.written().length;
  columns = 20;
  painter.paint([], { rows: ["y".repeat(19), "> typed"], cursor: { row: 1, column: 7 } });
  expect(wide.written().slice(before)).toContain("\u001B[2A\r\u001B[2K");
});

test("a terminal that was made lower, and has dropped what stood below the cursor, shows the tail again", () => {
  let rows = 10;
  const terminal = emulatedTerminal(40, 10);
  const painter = new Painter({ ...terminal, rows: () => rows });
  const tail: Tail = { rows: ["open", "> typed", "status"], cursor: { row: 1, column: 7 } };
  painter.paint(["finished"], tail);
  terminal.print("\u001B[s\r\n\u001B[J\u001B[u");
  rows = 8;
  painter.paint([], tail);
  expect(terminal.all()).toEqual(["finished", "open", "> typed", "status"]);
});

test("a tail that is taken off leaves the finished rows, and the next one begins below them", () => {
  const terminal = emulatedTerminal(40, 8);
  const painter = new Painter(terminal);
  painter.paint(["finished"], { rows: ["open", "> "], cursor: { row: 1, column: 2 } });
  painter.clear();
  expect(terminal.all()).toEqual(["finished"]);
  terminal.print("of the shell\r\n");
  painter.paint(["later"], { rows: ["> "], cursor: { row: 0, column: 2 } });
  expect(terminal.all()).toEqual(["finished", "of the shell", "later", ">"]);
});
