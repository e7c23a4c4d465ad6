import fc from "fast-check";
import { expect, test } from "vitest";
import { peel } from "./peeled-text.ts";
import { presentText, writtenText } from "./present-text.ts";
import { hunksBetween } from "./testing/review.ts";

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at + 1}`);
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

const old = text(numbered(40));
const now = text(
  numbered(40).flatMap((line) => {
    if (line === "line 5") return ["five", "and a half"];
    return line === "line 20" ? [] : line === "line 35" ? ["thirty-five"] : [line];
  }),
);
const hunks = hunksBetween(old, now);

test("hunks are found where the request left them, and without them the text is as before", () => {
  const { placed, before } = peel(presentText(now), [hunks]);
  expect(placed.map(({ place }) => place)).toEqual([
    { type: "exact", spans: [{ start: 4, end: 6 }] },
    { type: "exact", spans: [{ start: 20, end: 20 }] },
    { type: "exact", spans: [{ start: 34, end: 35 }] },
  ]);
  expect(writtenText(before)).toBe(old);
});

test("hunks move with lines that are written above them", () => {
  const { placed, before } = peel(presentText(`new\nlines\n${now}`), [hunks]);
  expect(placed.map(({ place }) => place)).toEqual([
    { type: "exact", spans: [{ start: 6, end: 8 }] },
    { type: "exact", spans: [{ start: 22, end: 22 }] },
    { type: "exact", spans: [{ start: 36, end: 37 }] },
  ]);
  expect(writtenText(before)).toBe(`new\nlines\n${old}`);
});

test("a hunk is still exact where only the lines around it were edited", () => {
  const present = now.replace("line 3\n", "line three\n").replace("line 6\n", "");
  const { placed } = peel(presentText(present), [hunks]);
  expect(placed[0]?.place).toEqual({ type: "exact", spans: [{ start: 4, end: 6 }] });
});

test("a hunk that was edited itself is marked, keeps its place and stays in the text before", () => {
  const present = now.replace("and a half\n", "and three quarters\nof it\n");
  const { placed, before } = peel(presentText(present), [hunks]);
  expect(placed.map(({ place }) => place)).toEqual([
    { type: "edited", span: { start: 4, end: 7 } },
    { type: "exact", spans: [{ start: 21, end: 21 }] },
    { type: "exact", spans: [{ start: 35, end: 36 }] },
  ]);
  expect(writtenText(before)).toBe(old.replace("line 5\n", "five\nand three quarters\nof it\n"));
});

test("a hunk of which nothing is left is gone", () => {
  const { placed } = peel(presentText("something else\nentirely\n"), [hunks]);
  expect(placed.map(({ place }) => place.type)).toEqual(["gone", "gone", "gone"]);
});

test("of equal blocks the one is taken that is where the hunk should be", () => {
  const block = ["{", "  one();", "}", "", "{", "  two();", "}", ""];
  const three = [...block, ...block, ...block];
  const changed = three.with(12, "{").with(13, "  three();");
  const { placed } = peel(presentText(text(["top", ...changed])), [hunksBetween(text(three), text(changed))]);
  expect(placed[0]?.place).toEqual({ type: "exact", spans: [{ start: 14, end: 15 }] });
});

test("of two hunks with the same lines the one that is left is found in its own place", () => {
  const block = ["", "a", "b", "c", "old", "d", "e", "f"];
  const twice = text([...block, ...block]);
  const changed = twice.replaceAll("old\n", "new\nnewer\n");
  const present = changed.replace("newer\n", "mine\n");
  const { placed } = peel(presentText(present), [hunksBetween(twice, changed)]);
  expect(placed.map(({ place }) => place)).toEqual([
    { type: "edited", span: { start: 4, end: 6 } },
    { type: "exact", spans: [{ start: 13, end: 15 }] },
  ]);
});

test("a file that the request made has nothing before it, and one that it deleted has everything", () => {
  expect(writtenText(peel(presentText(now), [hunksBetween("", now)]).before)).toBe("");
  expect(writtenText(peel(presentText(undefined), [hunksBetween(old, "")]).before)).toBe(old);
});

test("a deleted file that somebody made again keeps its new content in the text before", () => {
  const { placed, before } = peel(presentText("again\n"), [hunksBetween(old, "")]);
  expect(placed[0]?.place.type).toBe("edited");
  expect(writtenText(before)).toBe("again\n");
});

test("line ends stay those of the file, and a missing last one comes back", () => {
  const windows = (lines: string): string => lines.replaceAll("\n", "\r\n");
  const { before } = peel(presentText(windows(now)), [hunksBetween(windows(old), windows(now))]);
  expect(writtenText(before)).toBe(windows(old));
  const open = peel(presentText("one\ntwo\n"), [hunksBetween("one\ntwo", "one\ntwo\n")]);
  expect(writtenText(open.before)).toBe("one\ntwo");
  const closed = peel(presentText("one\n2"), [hunksBetween("one\ntwo\n", "one\n2")]);
  expect(writtenText(closed.before)).toBe("one\ntwo\n");
});

const line = fc.constantFrom("", "{", "}", "a", "b", "c", "d", "é");
const anyText = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, isOpen]) => (isOpen ? lines.join("\n") : text(lines)));

test("without the hunks of any requests, newest first, any text is as it was before them", () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (first, second, third) => {
      const layers = [hunksBetween(second, third, 2), hunksBetween(first, second, 1)];
      const { placed, before } = peel(presentText(third), layers);
      expect(placed.every(({ place }) => place.type === "exact")).toBe(true);
      expect(writtenText(before)).toBe(first);
    }),
  );
});

test("every place lies within the present text, whatever was written since", () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (first, second, present) => {
      const shown = presentText(present);
      for (const { place } of peel(shown, [hunksBetween(first, second)]).placed) {
        const spans = place.type === "exact" ? place.spans : place.type === "edited" ? [place.span] : [];
        for (const { start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(shown.lines.length);
        }
      }
    }),
  );
});
