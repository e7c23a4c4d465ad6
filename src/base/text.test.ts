import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  ansiStripper,
  byteLength,
  cutLine,
  decodeText,
  encodeText,
  headAndTail,
  otherEncoding,
  plainOutput,
  shellLimits,
  sizeInWords,
  splitLines,
  stripAnsi,
} from "./text.ts";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

test("A33: colours, cursor movements, titles and ]633; markers are stripped, the text between them stays", () => {
  const text =
    "\x1b[1;31mred\x1b[0m \x1b]0;title\x07a\x1b]633;A\x07b\x1b]633;D;0\x1b\\c\x1b(B\x1b[?25l\x1b7d ]633;C\x07e\x9b2Kf\x1bP1$r\x1b\\g";
  expect(stripAnsi(text)).toBe("red abcd efg");
});

test("A33: escapes cut anywhere between two pieces are stripped all the same", () => {
  const text = "a\x1b[1;31mred\x1b[0m\n\x1b]633;D;0\x07b\x1b]0;some title\x1b\\c";
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (places) => {
      const strip = ansiStripper();
      const cuts = [0, ...places.toSorted((a, b) => a - b), text.length];
      const pieces = cuts.slice(1).map((to, at) => strip(text.slice(cuts[at], to)));
      expect(pieces.join("")).toBe("ared\nbc");
    }),
  );
});

test("stripping hostile escapes is linear", () => {
  const text = "\x1b]".repeat(200_000) + "\x1b[" + "0".repeat(500_000) + "\x1b[".repeat(200_000);
  expect(stripAnsi(text)).toBe("");
});

test("an overwritten progress line keeps what was last written, and other control characters are gone", () => {
  expect(plainOutput("10%\r50%\r100%\r\nok\r\r\n\x00b\x07\x08\tc\r")).toBe("100%\nok\nb\tc");
  expect(plainOutput("x".repeat(1_000_000) + "\r")).toHaveLength(1_000_000);
});

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

test("A33: a hundred lines are whole; of more, the first 15 and the last 85 are kept", () => {
  expect(headAndTail(lines(100))).toEqual({ text: lines(100), cut: false });
  const { text, cut } = headAndTail(lines(250));
  const shown = text.split("\n");
  expect({
    cut,
    first: shown[14],
    note: shown[15],
    next: shown[16],
    last: shown.at(-2),
    end: shown.at(-1),
  }).toEqual({
    cut: true,
    first: "line 15",
    note: "[150 lines truncated]",
    next: "line 166",
    last: "line 250",
    end: "",
  });
});

test("whatever the output, what is kept is within the limits and begins and ends as the output does", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9000)), fc.constantFrom("x", "é", "😀"), (lengths, character) => {
      const { text, cut } = headAndTail(lengths.map((length) => character.repeat(length)).join("\n"));
      expect(byteLength(text)).toBeLessThanOrEqual(shellLimits.bytes + 100);
      expect(text.split("\n").length).toBeLessThanOrEqual(101);
      expect(text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
      if (!cut) expect(text).toBe(lengths.map((length) => character.repeat(length)).join("\n"));
    }),
  );
});

test("a line over the limit keeps its start and its end and says how much is gone", () => {
  expect(cutLine("a".repeat(5000) + "END", 4000)).toBe(
    "a".repeat(3000) + "[1003 characters cut]" + "a".repeat(997) + "END",
  );
});

test("text survives decoding and encoding to the byte, with its byte order mark and line endings", () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.array(fc.constantFrom("a", "é", "\r\n", "\n", "\r", "\uFEFF", "😀")),
      (bom, parts) => {
        const before = encodeText(parts.join(""), { bom });
        const decoded = decodeText(before);
        if (decoded.kind !== "text") throw new Error("expected text");
        expect(encodeText(decoded.text, { bom: decoded.bom })).toEqual(before);
      },
    ),
  );
});

const eol = (text: string): unknown => decodeText(encodeText(text, { bom: false }));

test("line endings are told apart", () => {
  expect(eol("a\r\nb\r\n")).toEqual({ kind: "text", text: "a\r\nb\r\n", bom: false, eol: "\r\n" });
  expect(eol("a\nb")).toEqual({ kind: "text", text: "a\nb", bom: false, eol: "\n" });
  expect(eol("a\r\nb\n")).toEqual({ kind: "text", text: "a\r\nb\n", bom: false, eol: "mixed" });
  expect(eol("")).toEqual({ kind: "text", text: "", bom: false, eol: "\n" });
});

const type = (...values: number[]): unknown => decodeText(bytes(...values));

test("binary content is told by a NUL or invalid UTF-8, and known types by their first bytes", () => {
  expect(type(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0)).toEqual({
    kind: "binary",
    type: "image/png",
  });
  expect(type(0xff, 0xd8, 0xff, 0xe0)).toEqual({ kind: "binary", type: "image/jpeg" });
  expect(type(0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0)).toEqual({ kind: "binary", type: "image/gif" });
  expect(type(0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0, 0x57, 0x45, 0x42, 0x50)).toEqual({
    kind: "binary",
    type: "image/webp",
  });
  expect(type(0x61, 0)).toEqual({ kind: "binary", type: "application/octet-stream" });
  expect(type(0x63, 0x61, 0x66, 0xe9)).toEqual({ kind: "binary", type: otherEncoding });
});

test("lines are split at either ending, and a final ending opens no further line", () => {
  expect([splitLines(""), splitLines("a"), splitLines("a\r\nb\n"), splitLines("\n\n")]).toEqual([
    [],
    ["a"],
    ["a", "b"],
    ["", ""],
  ]);
});

test("sizes are said in words", () => {
  expect([812, 1434, 5 * 1024 * 1024, 123 * 1024].map(sizeInWords)).toEqual([
    "812 bytes",
    "1.4 KB",
    "5.0 MB",
    "123 KB",
  ]);
});
