/** The announcements of answers and questions for screen readers. */

import { expect, test } from "vitest";
import { answerWords, approvalWords, spokenText } from "./announcements.ts";

test("Markdown is spoken as words, without its markup", () => {
  expect(
    spokenText("The total is **rounded** now, see [the *file*](https://example.org) and `total.ts`."),
  ).toBe("The total is rounded now, see the file and total.ts.");
  expect(spokenText("# Done\n\n1. first\n2. ~~second~~\n   - third\n\n> quoted\n\n---\nend")).toBe(
    "Done. first. second. third. quoted. end",
  );
  expect(spokenText("| file | change |\n|---|---|\n| `a.ts` | **rate** |")).toBe("file, change. a.ts, rate");
  expect(spokenText("- [x] done\n- [ ] not yet")).toBe("done. not yet");
});

test("entities are spoken as what they stand for, but in code as they are written", () => {
  expect(spokenText("Fish &amp; chips &lt;5 &euro;, `&amp;`")).toBe("Fish & chips <5 &euro;, &amp;");
});

test("code is announced by its number of lines", () => {
  expect(spokenText("So:\n\n```ts\nconst a = 1;\nconst b = 2;\n```\n\nThat is it.")).toBe(
    "So: Code, 2 lines. That is it.",
  );
  expect(spokenText("```\none\n```")).toBe("Code, 1 line");
});

test("plain text is left as it is, and bidi overrides are made visible", () => {
  expect(spokenText("2 * 3 * 4 < 5 & a_b_c")).toBe("2 * 3 * 4 < 5 & a_b_c");
  expect(spokenText("<b>bold</b>")).toBe("<b>bold</b>");
  expect(spokenText("a\u202Eb")).not.toContain("\u202E");
  expect(spokenText("")).toBe("");
});

test("only the beginning of a very long answer is spoken", () => {
  expect(spokenText("word ".repeat(200_000)).length).toBeLessThanOrEqual(601);
  expect(spokenText(`${"> ".repeat(100_000)}x`).length).toBeLessThanOrEqual(601);
});

test("an announcement starts with how the request ended", () => {
  expect(answerWords("done", "It is **two**.")).toBe("The answer is finished. It is two.");
  expect(answerWords("interrupted", "")).toBe("The request ended: interrupted.");
});

test("an approval question is announced as a sentence of its own, in one line", () => {
  expect(approvalWords("Edit total.js")).toBe("Waiting for your answer. May it do this: Edit total.js?");
  expect(approvalWords("Run cat <<E\nall\nE")).toBe(
    "Waiting for your answer. May it do this: Run cat <<E …?",
  );
});
