/** Tests that nothing a model writes can hang the terminal, fill it without end or reach it as a control sequence. */

import { expect, test } from "vitest";
import { styleFor } from "../../view/style.ts";
import { widthOf } from "./look.ts";
import { MarkdownRows } from "./markdown-rows.ts";

const columns = 80;

function rowsOf(text: string): string[] {
  const rows = new MarkdownRows({
    columns: () => columns,
    style: styleFor({}, false),
    links: false,
    unicode: true,
    highlight: () => undefined,
  });
  const finished = rows.append(text);
  rows.open();
  return [...finished, ...rows.end()];
}

const many = 3_000;

test("marks that are never closed, deep nesting and endless words end in rows that fit", () => {
  const texts = [
    "*a _b ".repeat(many), "**a* ".repeat(many), "~~a ".repeat(many), "[a ".repeat(many), "![a](".repeat(many), "<a@".repeat(many),
    "`a ``b ".repeat(many), "\\".repeat(many), "&#27;".repeat(many), "http://a.b/(".repeat(many), "> ".repeat(many), "- ".repeat(many),
    `${"- a\n  ".repeat(500)}b`, `${">".repeat(500)} a\n`.repeat(200), "1. ".repeat(many), "#".repeat(many), `# ${"word ".repeat(many)}#`, "x".repeat(200_000),
    "漢".repeat(many), "\u0301".repeat(many), "a\u0301".repeat(many), "👨\u200D".repeat(many), " ".repeat(many), `${" ".repeat(2_000)}text`, "\t".repeat(many),
    "-".repeat(many), "=".repeat(many), "`".repeat(many), `\`\`\`${"x".repeat(many)}`, `\`\`\`\n${"x".repeat(200_000)}`, `\`\`\`\n${"\n".repeat(many)}x`,
    `|${"a|".repeat(many)}\n|${"-|".repeat(many)}\n`, `|${"a|".repeat(400)}\n|${"-|".repeat(400)}\n|b|`, `|a|b|\n|-|-|\n|${"*a ".repeat(many)}|`, `|a|\n|-|\n|${"x".repeat(many)}|`,
    "|".repeat(many), "\u0000\u001B[2J\u009B31m\u202E\r\r\n".repeat(1_000), "\uD83D", "\uDE00\uD83D\uD83D",
  ]; // prettier-ignore
  for (const text of texts) {
    const rows = rowsOf(text);
    expect([text.slice(0, 12), Math.max(0, ...new Set(rows.map(widthOf))) < columns]).toEqual([
      text.slice(0, 12),
      true,
    ]);
    // eslint-disable-next-line no-control-regex -- control characters are what this is about
    expect(rows.join("")).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202E]/u);
  }
});

test("nothing of an endless text is lost", () => {
  for (const text of [
    "x".repeat(50_001),
    `\`\`\`\n${"x".repeat(50_001)}`,
    `${" ".repeat(2_000)}${"x".repeat(50_001)}`,
  ])
    expect(rowsOf(text).join("").replaceAll(" ", "")).toBe("x".repeat(50_001));
});

test("a table of ten thousand rows is shown when it is complete, and its newest rows before", () => {
  const rows = new MarkdownRows({
    columns: () => columns,
    style: styleFor({}, false),
    links: false,
    unicode: true,
    highlight: () => undefined,
  });
  const lines = Array.from({ length: 10_000 }, (_, at) => `| ${at} | cell |\n`);
  expect(rows.append(`| n | c |\n|--:|---|\n${lines.join("")}`)).toEqual([]);
  expect(rows.open().slice(-2)).toEqual(["│ 9999 │ cell │", "└──────┴──────┘"]);
  expect(rows.open().length).toBeLessThan(100);
  expect(rows.append("\n")).toHaveLength(10_004);
});
