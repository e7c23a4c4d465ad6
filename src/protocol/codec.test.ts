import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import { anyCharacter } from "../base/testing/any-character.ts";
import { scale } from "../testing/scale.ts";
import { encodeEntry, externalise } from "./codec.ts";
import { decodeEntry, internalise } from "./decode.ts";
import { facts, factVersion, type Entry } from "./facts.ts";

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const stamp = { v: factVersion, seq: 1, at: 1000, turn: 1 };
const keyedBlob = { $blob: "not a hash", $$blob: ["$blob"], $$$blob: null };

/** Values that a schema of facts.ts accepts, as an arbitrary: new facts are covered automatically. */
function arbitraryOf(schema: unknown): fc.Arbitrary<unknown> {
  const { def } = (schema as { _zod: { def: Record<string, unknown> } })._zod;
  switch (def["type"]) {
    case "object":
      return fc.record(mapValues(def["shape"] as object, arbitraryOf), {
        requiredKeys: requiredOf(def["shape"] as object),
      });
    case "literal":
      return fc.constantFrom(...(def["values"] as unknown[]));
    case "enum":
      return fc.constantFrom(...Object.values(def["entries"] as object));
    case "string":
      return fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.constant("\ud83d lone"),
      );
    case "number":
      return fc.integer();
    case "boolean":
      return fc.boolean();
    case "optional":
      return arbitraryOf(def["innerType"]);
    case "nullable":
      return fc.option(arbitraryOf(def["innerType"]));
    case "array":
      return fc.array(arbitraryOf(def["element"]), { maxLength: 4 });
    case "union":
      return fc.oneof(...(def["options"] as unknown[]).map(arbitraryOf));
    case "record":
      return fc.oneof(fc.dictionary(fc.string(), jsonValue), fc.constant({ content: keyedBlob }));
    case "lazy":
      return jsonValue;
    default:
      throw new Error(`no arbitrary for ${String(def["type"])}`);
  }
}

const jsonValue = fc.oneof(
  fc.json().map((text): Json => JSON.parse(text)),
  fc.constant(keyedBlob),
);

function mapValues(
  shape: object,
  by: (value: unknown) => fc.Arbitrary<unknown>,
): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, by(value)]));
}

function requiredOf(shape: object): string[] {
  return Object.entries(shape).flatMap(([key, schema]) => (schema._zod.def.type === "optional" ? [] : [key]));
}

const entry: fc.Arbitrary<Entry> = fc
  .tuple(
    fc.oneof(...Object.values(facts).map(arbitraryOf)),
    fc.record({ seq: fc.nat(), at: fc.nat(), turn: fc.nat() }),
  )
  .map(([fact, place]) => ({ ...(fact as object), v: factVersion, ...place }) as Entry);

test("every entry survives being written and read", () => {
  fc.assert(
    fc.property(entry, (written) => {
      expect(decodeEntry(encodeEntry(written))).toEqual(written);
    }),
    { numRuns: 300 * scale },
  );
});

test("every entry survives being split into text and blobs, wherever the limit lies", () => {
  fc.assert(
    fc.property(entry, fc.integer({ min: 0, max: 40 }), (written, limit) => {
      const { text, blobs } = externalise(written, sha256, limit);
      const store = new Map(blobs.map(({ hash, bytes }) => [hash, bytes]));
      expect(internalise(text, (hash) => store.get(hash))).toEqual(written);
    }),
    { numRuns: 300 * scale },
  );
});

const result = (text: string): Entry => ({
  type: "result",
  callId: "c",
  outcome: "ok",
  content: [{ type: "text", text }],
  ...stamp,
});

test("strings of more than 16 KiB in UTF-8 become content-addressed blobs; shorter ones stay inline", () => {
  const limit = 16 * 1024;
  const blobsOf = (text: string) => externalise(result(text), sha256).blobs.map(({ bytes }) => bytes.length);
  expect(blobsOf("x".repeat(limit))).toEqual([]);
  expect(blobsOf("x".repeat(limit + 1))).toEqual([limit + 1]);
  expect(blobsOf("é".repeat(limit / 2))).toEqual([]);
  expect(blobsOf("é".repeat(limit / 2) + "x")).toEqual([limit + 1]);

  const { text, blobs } = externalise(result("語".repeat(6000)), sha256);
  const [blob] = blobs;
  expect(blob?.hash).toBe(sha256(new TextEncoder().encode("語".repeat(6000))));
  expect(JSON.parse(text).content).toEqual([{ type: "text", text: { $blob: blob?.hash } }]);
});

test("the same long text twice is one blob", () => {
  const long = "y".repeat(20_000);
  const twice: Entry = {
    type: "call",
    call: { id: "c", name: "n", input: { a: long, b: [long] }, source: "native" },
    ...stamp,
  };
  const { blobs, text } = externalise(twice, sha256);
  expect(blobs).toHaveLength(1);
  expect(internalise(text, () => blobs[0]?.bytes)).toEqual(twice);
});

test("a long text with lone surrogates stays in the entry, and a byte order mark is not lost", () => {
  for (const text of ["\ud800".repeat(20_000), `\ufeff${"z".repeat(20_000)}`]) {
    const { text: written, blobs } = externalise(result(text), sha256);
    expect(internalise(written, () => blobs[0]?.bytes)).toEqual(result(text));
  }
});

test("a missing blob is replaced by a notice, and the session can still be read", () => {
  const { text, blobs } = externalise(result("x".repeat(20_000)), sha256);
  expect(internalise(text, () => undefined)).toEqual(
    result(`[This text is missing from the store, or damaged there: ${blobs[0]?.hash}]`),
  );
});

test("a fact of an unknown type is kept and written back unchanged", () => {
  const text = '{"type":"moon-landed","v":1,"seq":7,"at":5,"turn":2,"where":{"$blob":"x"},"n":1.50}';
  const read = decodeEntry(text);
  expect(read).toEqual({ type: "unknown", original: JSON.parse(text), v: 1, seq: 7, at: 5, turn: 2 });
  expect(JSON.parse(encodeEntry(read))).toEqual(JSON.parse(text));
  expect(decodeEntry(encodeEntry(read))).toEqual(read);
  expect(internalise(externalise(read, sha256).text, () => undefined)).toEqual(read);
});

test("any JSON is read without an exception and written back unchanged", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(encodeEntry(decodeEntry(text)))).toEqual(JSON.parse(text));
    }),
  );
});

test("invalid members, other versions and broken stamps make a fact unknown instead of wrong", () => {
  const valid = { type: "warning", code: "x", text: "y", ...stamp };
  expect(decodeEntry(JSON.stringify(valid))).toEqual(valid);
  const invalid = [
    { ...valid, text: 5 },
    { ...valid, code: undefined },
    { ...valid, v: factVersion + 1 },
    { ...valid, v: "1" },
    { ...valid, v: undefined },
    { ...valid, seq: null },
    { ...valid, at: "now" },
    { ...valid, type: "toString" },
  ];
  for (const fact of invalid) {
    const read = decodeEntry(JSON.stringify(fact));
    expect(read).toMatchObject({ type: "unknown", original: JSON.parse(JSON.stringify(fact)) });
    expect([read.v, read.seq, read.at, read.turn].every((member) => typeof member === "number")).toBe(true);
  }
});

test("unknown members of a known fact are kept", () => {
  const later = { type: "warning", code: "x", text: "y", colour: "red", ...stamp };
  expect(JSON.parse(encodeEntry(decodeEntry(JSON.stringify(later))))).toEqual(later);
});

test("invalid JSON is kept as text, and nesting deeper than the stack makes a fact unknown", () => {
  for (const text of ["", "{", "\0\0\0", '{"type":"text"']) {
    expect(decodeEntry(text)).toEqual({ type: "unknown", original: text, v: 0, seq: 0, at: 0, turn: 0 });
  }
  const deep = `{"type":"call","call":{"id":"a","name":"b","input":{"x":${"[".repeat(50_000)}${"]".repeat(50_000)}},"source":"native"},"v":1,"seq":3,"at":1,"turn":1}`;
  const read = decodeEntry(deep);
  expect([read.type, read.seq]).toEqual(["unknown", 3]);
});
