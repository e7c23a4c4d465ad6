import * as fc from "fast-check";
import { expect, test } from "vitest";
import { otherEncoding } from "./media-type.ts";
import { decodeText, encodeText, splitLines } from "./text.ts";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

test("text keeps every byte through decoding and encoding, with its byte order mark and line endings", () => {
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

test("line endings are detected", () => {
  expect(eol("a\r\nb\r\n")).toEqual({ kind: "text", text: "a\r\nb\r\n", bom: false, eol: "\r\n" });
  expect(eol("a\nb")).toEqual({ kind: "text", text: "a\nb", bom: false, eol: "\n" });
  expect(eol("a\r\nb\n")).toEqual({ kind: "text", text: "a\r\nb\n", bom: false, eol: "mixed" });
  expect(eol("")).toEqual({ kind: "text", text: "", bom: false, eol: "\n" });
});

const type = (...values: number[]): unknown => decodeText(bytes(...values));

test("binary content is recognised by a NUL or invalid UTF-8, and known types by their first bytes", () => {
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

test("lines are split at either line ending, and a final one adds no further line", () => {
  expect([splitLines(""), splitLines("a"), splitLines("a\r\nb\n"), splitLines("\n\n")]).toEqual([
    [],
    ["a"],
    ["a", "b"],
    ["", ""],
  ]);
});
