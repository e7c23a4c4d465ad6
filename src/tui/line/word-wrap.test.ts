/** Tests that words stay whole at the edge of a terminal, however the text is split on its way. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TerminalScreen } from "../../base/terminal/screen.ts";
import { WordWrap, wrapLine } from "./word-wrap.ts";

describe("whole lines", () => {
  test("a sentence continues with an indent of two spaces, and colours do not count towards its width", () => {
    const rows = ["! The quick brown fox jumps", "  over the lazy dog."];
    const line = "! The quick brown fox jumps over the lazy dog.";
    expect(wrapLine(line, 30)).toEqual(rows);
    expect(wrapLine(`\u001B[33m${line}\u001B[39m`, 30)).toEqual([
      `\u001B[33m${rows[0]}`,
      `${rows[1]}\u001B[39m`,
    ]);
  });

  test("a table row continues in its last column unless that is too narrow", () => {
    expect(wrapLine("  /mode [MODE]  Show the modes, or set one.", 33)).toEqual([
      "  /mode [MODE]  Show the modes,",
      "                or set one.",
    ]);
    expect(wrapLine("  /mode [MODE]  Show the modes, or set one.", 25)).toEqual([
      "  /mode [MODE]  Show the",
      "    modes, or set one.",
    ]);
  });

  test("an overlong word is not broken, and a very narrow terminal gets the line unchanged", () => {
    const url = `https://example.org/${"x".repeat(40)}`;
    expect(wrapLine(`See ${url} for more.`, 30)).toEqual(["See", `  ${url}`, "  for more."]);
    expect(wrapLine("The quick brown fox", 10)).toEqual(["The quick brown fox"]);
  });
});

const columns = 40;

/** The screen after these pieces were printed; a line that the terminal had to break counts as one. */
function shown(pieces: readonly string[]): string[] {
  const screen = new TerminalScreen({ columns, rows: 50, space: 100_000, answer: () => undefined });
  const wrap = new WordWrap();
  for (const piece of pieces) screen.write(Buffer.from(wrap.next(piece, columns).replaceAll("\n", "\r\n")));
  return screen.since(0).map((line) => line.trimEnd());
}

const inPieces = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));

describe("text as it streams", () => {
  test("a word that outgrows its row while streaming is moved to the next one, without any buffering", () => {
    const wrap = new WordWrap();
    expect(wrap.next("The order of exactly 100.00 does not ge", columns)).toBe(
      "The order of exactly 100.00 does not ge",
    );
    expect(wrap.next("t its discount.", columns)).toBe("\u001B[2D\u001B[K\nget its discount.");
  });

  test("a list item continues under its own text", () => {
    for (const size of [1, 7, 200])
      expect(shown(inPieces("1. The comparison in the program is off by one.\n- next", size))).toEqual([
        "1. The comparison in the program is off",
        "   by one.",
        "- next",
      ]);
  });

  test("code and tables are not wrapped", () => {
    const long = "a very long line that says one thing after another";
    const text = `\`\`\`sh\n${long}\n\`\`\`\n    ${long}\n| ${long} |`;
    for (const size of [1, 7, 200]) expect(shown(inPieces(text, size))).toEqual(text.split("\n"));
    expect(shown([`\`\`\`sh\n${long}\n\`\`\`\n${long}`]).slice(-2)).toEqual([
      "a very long line that says one thing",
      "after another",
    ]);
  });

  test("however a text is split, no word is broken or lost, and no row is too wide", () => {
    const word = fc.string({
      unit: fc.constantFrom("a", "b", "m", "w", "z", "ä", "é", "ж", "д", ".", ","),
      minLength: 1,
      maxLength: 18,
    });
    const text = fc.array(fc.array(word, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (paragraphs, size) => {
        const lines = shown(inPieces(paragraphs.map((words) => words.join(" ")).join("\n"), size));
        expect(lines.join(" ").split(/ +/u)).toEqual(paragraphs.flat());
        for (const line of lines) expect(line.length).toBeLessThan(columns);
      }),
    );
  });

  test("text without spaces and words wider than half the terminal are left to the terminal", () => {
    const text = `漢字${"かな".repeat(40)} ${"x".repeat(90)} end`;
    for (const size of [1, 7, 300])
      expect(shown(inPieces(text, size)).join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
  });
});

test("a word longer than a row, such as text without spaces, is printed as it comes, in linear time", () => {
  const wrap = new WordWrap();
  const word = "語".repeat(200_000);
  let printed = "";
  for (const character of `${word} after`) printed += wrap.next(character, 80);
  expect(printed).toBe(`${word}\nafter`);
});
