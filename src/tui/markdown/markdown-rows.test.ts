/** Tests that Markdown looks as it should in a terminal, and the same however it arrives. */

import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { showable } from "../../base/visible-text.ts";
import { scale } from "../../testing/scale.ts";
import { styleFor } from "../../view/style.ts";
import { codeColours, loadCodeColours } from "./code-colours.ts";
import { widthOf } from "./look.ts";
import { MarkdownRows, type MarkdownSetup } from "./markdown-rows.ts";

const plain = styleFor({}, false);
const coloured = styleFor({}, true);

const newRows = (columns: number, setup: Partial<MarkdownSetup> = {}): MarkdownRows =>
  new MarkdownRows({
    columns: () => columns,
    style: plain,
    links: false,
    unicode: true,
    highlight: () => undefined,
    ...setup,
  });

/** All rows of a text that arrives at once. */
function rowsOf(text: string, columns = 40, setup: Partial<MarkdownSetup> = {}): string[] {
  const rows = newRows(columns, setup);
  return [...rows.append(text), ...rows.end()];
}

describe("what it looks like", () => {
  test("paragraphs are wrapped between words, and a line of the source may end anywhere", () => {
    expect(rowsOf("The order of exactly 100.00\ndoes not get its discount.\n\nNext\\\nline  \nends")).toEqual(
      ["The order of exactly 100.00 does not", "get its discount.", "", "Next", "line", "ends"],
    );
  });

  test("headings, emphasis, code and deletions have their styles, and each row is whole in itself", () => {
    const text = "# One *two* #\n## Three\n**bold that goes on over rows** `code` *it* ~~gone~~ ~5";
    expect(rowsOf(text, 24, { style: coloured })).toEqual([
      "\u001B[4m\u001B[1mOne \u001B[22m\u001B[24m\u001B[3m\u001B[4m\u001B[1mtwo\u001B[22m\u001B[24m\u001B[23m",
      "",
      "\u001B[1mThree\u001B[22m",
      "",
      "\u001B[1mbold that goes on over\u001B[22m",
      "\u001B[1mrows\u001B[22m \u001B[36mcode\u001B[39m \u001B[3mit\u001B[23m \u001B[9mgone\u001B[29m ~5",
    ]);
  });

  test("lists continue under their text, and are set off only where the source does so", () => {
    const text =
      "1. first item that is long enough to be wrapped\n   - nested\n   - [x] done\n   - [ ] open\n2. second\n\n   its paragraph\n-\n- other\n";
    expect(rowsOf(text, 30)).toEqual([
      "1. first item that is long",
      "   enough to be wrapped",
      "   • nested",
      "   ✓ done",
      "   ☐ open",
      "2. second",
      "",
      "   its paragraph",
      "•",
      "• other",
    ]);
  });

  test("quotes have a line before each row, and end with the next block", () => {
    expect(rowsOf("> said in many words, and\nmore\n>\n> - listed\n\n---\n> again", 20)).toEqual([
      "│ said in many",
      "│ words, and more",
      "│",
      "│ • listed",
      "",
      "─".repeat(19),
      "",
      "│ again",
    ]);
  });

  test("code keeps its lines, without its language; a long line is cut at the edge", () => {
    expect(
      rowsOf('Run:\n```sh\nnpm  test\n\n\techo "a long line" | cat\n```\n    old\n\n    style\n', 20),
    ).toEqual([
      "Run:",
      "",
      "  npm  test",
      "",
      '      echo "a long ',
      '  line" | cat',
      "",
      "  old",
      "",
      "  style",
    ]);
  });

  test("a table fits the columns: its widest column is wrapped", () => {
    const text = "| file | n |\n|:--|--:|\n| `a.ts` | 4 |\n| b \\| c and many words | 42 |\n\nend";
    expect(rowsOf(text, 24)).toEqual([
      "┌────────────────┬────┐",
      "│ file           │  n │",
      "├────────────────┼────┤",
      "│ a.ts           │  4 │",
      "├────────────────┼────┤",
      "│ b | c and many │ 42 │",
      "│ words          │    │",
      "└────────────────┴────┘",
      "",
      "end",
    ]);
  });

  test("links lead to the web only; an address that is not a link is told unless the text is it", () => {
    const text = "[a](https://x.org/b?c) <https://y.org> [t](src/t.ts) [j](javascript:alert) [ref]";
    expect(rowsOf(text, 200)).toEqual([
      "a (https://x.org/b?c) https://y.org t (src/t.ts) j (javascript:alert) [ref]",
    ]);
    expect(rowsOf("[a](https://x.org/\u009c) [t](src/t.ts)", 200, { links: true })).toEqual([
      "\u001B]8;;https://x.org/%E2%9F%A8U+009C%E2%9F%A9\u001B\\a\u001B]8;;\u001B\\ t (src/t.ts)",
    ]);
  });

  test("without Unicode, marks are plain ASCII", () => {
    expect(rowsOf("- a\n- [x] b\n\n> q\n\n---\n|h|\n|-|\n|c|", 12, { unicode: false })).toEqual([
      "- a",
      "[x] b",
      "",
      "| q",
      "",
      "-----------",
      "",
      "+---+",
      "| h |",
      "+---+",
      "| c |",
      "+---+",
    ]);
  });

  test("HTML and control characters are shown, also those that hide in entities", () => {
    expect(rowsOf("<b>x</b> \u001B[2J &lt;&#27;[31m &unknown; a\r\nb", 80)).toEqual([
      "<b>x</b> ␛[2J <␛[31m &unknown; a b",
    ]);
  });

  test("an underline of a paragraph does not make it a heading", () => {
    expect(rowsOf("Some\n===\nwords\n---", 8)).toEqual(["Some", "===", "words", "", "───────"]);
  });
});

describe("while it is written", () => {
  test("a full row of a paragraph is finished, unless an open mark could change it", () => {
    const rows = newRows(20);
    expect(rows.append("These words fill one row and")).toEqual(["These words fill"]);
    expect(rows.open()).toEqual(["one row and"]);
    expect(rows.append(" **these may be bold or not, who knows it")).toEqual([]);
    expect(rows.append(" yet** after all of it is said.")).toEqual([
      "one row and these",
      "may be bold or not,",
      "who knows it yet",
    ]);
    expect(rows.end()).toEqual(["after all of it is", "said."]);
  });

  test("a mark that is never closed is text, and withholds no more than its bound", () => {
    const rows = newRows(80);
    const finished = rows.append(`So **${"some words ".repeat(85)}`).length;
    expect(finished).toBe(0);
    expect(rows.append("more words ".repeat(20))[0]).toBe(`So **${"some words ".repeat(6)}some`);
  });

  test("code is finished line by line, a list item by item, a table as a whole", () => {
    const rows = newRows(40);
    expect(rows.append("```\none\ntwo\nthr")).toEqual(["  one", "  two"]);
    expect(rows.append("ee\n```\n- one\n- two\n- ")).toEqual(["  three", "", "• one"]);
    expect(rows.append("three\n\n|a|\n|-|\n|b|\n|")).toEqual(["• two", "• three", ""]);
    expect(rows.open()).toEqual(["┌───┐", "│ a │", "├───┤", "│ b │", "│   │", "└───┘"]);
    expect(rows.append("c|\n\n")).toEqual(["┌───┐", "│ a │", "├───┤", "│ b │", "│ c │", "└───┘"]);
    expect(rows.end()).toEqual([]);
  });
});

const lines = [
  "Some words with `code`, **bold** and [a link](https://example.org/a_b).", "a long line ".repeat(12), "**bold** ".repeat(20),
  "an *open mark", "another `open mark", "[open", "[a](b", "__x", "~~y", "# A heading #", "===", "---", "- - -", "* * *",
  "- one", "- two", "  continued", "    - deeper", "1. first", "2. second", "- [x] done", "- [ ] open", "-", "1.",
  "> said", "> > twice", "> - a", "lazy", "```ts", "```", "````", "~~~", "  ```", "/* open", "const a = `1`; // x", "    indented code",
  "| a | b |", "|---|:-:|", "| 1 | 2 |", "a | b", "|-|", "|", "[ref]: https://example.org 'T'", "[text][ref]",
  "<div>", "<!-- x -->", "https://example.org/x", "![pic](https://example.org/p.png)", "&amp;&#27;", "\\", "line  ", "line\\",
  "", "", "", " ", "\t", "\ttab", "+ plus", "*", "`", "``", "| |", "x".repeat(90), "漢字かな".repeat(12), "\u001B[31mred",
  "\u202Eabc", "a\rb", "😀👨\u200D👩\u200D👧e\u0301", "السلام عليكم", "\u0301".repeat(70),
]; // prettier-ignore

const document = fc
  .array(fc.oneof(fc.constantFrom(...lines), fc.string({ unit: anyCharacter, maxLength: 12 })), {
    maxLength: 16,
  })
  .chain((parts) =>
    fc
      .array(fc.constantFrom("\n", "\n", "\n", "\n\n", "\r\n", "", " "), {
        minLength: parts.length,
        maxLength: parts.length,
      })
      .map((ends) => parts.map((part, at) => part + ends[at]).join("")),
  );
const numRuns = 200 * scale;

describe("for every document", () => {
  test("rows are the same however it arrives, and finished ones never change", async () => {
    await loadCodeColours();
    const setup = { style: coloured, links: true, highlight: codeColours };
    fc.assert(
      fc.property(
        document,
        fc.array(fc.nat(400), { maxLength: 12 }),
        fc.integer({ min: 1, max: 90 }),
        (whole, cuts, columns) => {
          const places = cuts.filter((cut) => cut < whole.length).toSorted((one, other) => one - other);
          const rows = newRows(columns, setup);
          const finished: string[] = [];
          for (const [at, place] of [...places, whole.length].entries()) {
            finished.push(...rows.append(whole.slice(places[at - 1] ?? 0, place)));
            const shown = [...finished, ...rows.open()];
            const complete = showable(whole.slice(0, place));
            expect(shown).toEqual(rowsOf(whole.slice(0, complete), columns, setup));
          }
          expect([...finished, ...rows.end()]).toEqual(rowsOf(whole, columns, setup));
        },
      ),
      { numRuns },
    );
  });

  test("no row is wider than the terminal without its last column, and each ends as it began", () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 3, max: 90 }), (whole, columns) => {
        for (const row of rowsOf(whole, columns, { style: coloured, links: true })) {
          expect(widthOf(stripVTControlCharacters(row))).toBeLessThan(columns);
          expect(styleAtEnd(row)).toEqual([]);
        }
      }),
      { numRuns },
    );
  });
});

/** The styles that are on at the end of a row; it has no escape sequences but ours. */
function styleAtEnd(row: string): string[] {
  const on = new Map<string, string>();
  const offs: Readonly<Record<string, string>> = { 1: "22", 2: "22", 3: "23", 4: "24", 9: "29" };
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  for (const [all, code, link] of row.matchAll(/\u001B(?:\[(\d+)m|\]8;;([^\u001B]*)\u001B\\)?/gu)) {
    if (code === undefined && link === undefined) return [`strange: ${all}`];
    if (link !== undefined && link !== "") on.set("link", link);
    else if (link !== undefined) on.delete("link");
    else if (code !== undefined && ["22", "23", "24", "29", "39"].includes(code)) on.delete(code);
    else if (code !== undefined) on.set(offs[code] ?? "39", code);
  }
  return [...on.keys()];
}
