import fc from "fast-check";
import { expect, test } from "vitest";
import { type Growing, growMarkdown, nothingYet, pieceHtml } from "./growing.ts";

const html = ({ done, open }: Growing): string => [...done, ...open].map(pieceHtml).join("\n");
const atOnce = (text: string): string => html(growMarkdown(nothingYet, text, true));

const lines = [
  "Some words with `code`, **bold** and [a link](https://example.org/a_b).",
  "# A heading", "Setext", "===", "---", "- - -", "* * *",
  "- one", "- two", "  continued", "    - deeper", "1. first", "2. second", "- [x] done", "- [ ] open",
  "> said", "> > twice", "lazy", "```ts", "```", "````", "~~~", "  ```", "const a = 1;", "    indented code",
  "| a | b |", "|---|:-:|", "| 1 | 2 |", "a | b", "[ref]: https://example.org 'T'", "[ref]", "[text][ref]", "[^1]: note",
  "<div>", "</div>", "<!-- x -->", "<b>bold</b>", "https://example.org/x", "![pic](https://example.org/p.png)",
  "", "", "", " ", "\t", "\ttab", "+ plus", "-", "1.", "*", "`", "``", "\\", "| |", "line  ", "\u001B[31mred", "\u202Eabc", "a\rb", "😀",
]; // prettier-ignore

const text = fc
  .array(fc.oneof(fc.constantFrom(...lines), fc.string({ maxLength: 12 })), { maxLength: 14 })
  .chain((parts) =>
    fc
      .array(fc.constantFrom("\n", "\n", "\n\n", "\r\n", ""), {
        minLength: parts.length,
        maxLength: parts.length,
      })
      .map((ends) => parts.map((part, at) => part + ends[at]).join("")),
  );

test("only code at the end of what has arrived is open: all other is finished, and coloured", () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(400), { maxLength: 12 }), (whole, cuts) => {
      const areOpen = ({ done, open }: Growing): boolean[] =>
        [...done, ...open].map((piece) => piece.type === "code" && piece.isOpen);
      let state = nothingYet;
      for (const cut of cuts.filter((cut) => cut < whole.length).toSorted((a, b) => a - b)) {
        state = growMarkdown(state, whole.slice(0, cut), false);
        expect(areOpen(state).slice(0, -1)).not.toContain(true);
      }
      expect(areOpen(growMarkdown(state, whole, true))).not.toContain(true);
    }),
    { numRuns: Number(process.env["TOOLWRIGHT_RUNS"] ?? 500) },
  );
});

test("streamed Markdown always looks as if it had arrived in one piece, however it is split", () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(400), { maxLength: 12 }), (whole, cuts) => {
      let state = nothingYet;
      for (const cut of cuts.filter((cut) => cut < whole.length).toSorted((a, b) => a - b)) {
        state = growMarkdown(state, whole.slice(0, cut), false);
        const shown = whole.slice(0, state.taken);
        expect(html(state)).toBe(atOnce(shown));
      }
      expect(html(growMarkdown(state, whole, true))).toBe(atOnce(whole));
    }),
    { numRuns: Number(process.env["TOOLWRIGHT_RUNS"] ?? 500) },
  );
});
