import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import { cutBytes } from "../testing/byte-pieces.ts";
import { scale } from "../testing/scale.ts";
import { wireBounds } from "./bounds.ts";
import { ndjsonBatches, sseBatches, writeSse } from "./framing.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

test("server-sent events survive any split of their bytes and any line ending", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ event: fc.constantFrom("message", "delta"), data: fc.string({ unit: "grapheme" }) }),
      ),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.array(fc.nat()),
      async (events, ending, places) => {
        const sent = events.map((e) => ({ event: e.event, data: JSON.stringify(e.data) + "\u2028" }));
        const text = sent
          .map((e) => writeSse(e.data, e.event))
          .join("")
          .replaceAll("\n", ending);
        expect((await collect(sseBatches(cutBytes(encode(text), places)))).flat()).toEqual(sent);
      },
    ),
    { numRuns: 100 * scale },
  );
});

test("comments, unknown fields, a byte order mark and a missing space are read as the standard says", async () => {
  const text = "\uFEFF: keep-alive\n\ndata:one\ndata: two\nid: 7\nretry: 10\n\nevent: x\n\ndata: three";
  expect((await collect(sseBatches(cutBytes(encode(text), [])))).flat()).toEqual([
    { event: "message", data: "one\ntwo" },
    { event: "message", data: "three" },
  ]);
});

test("newline-delimited JSON survives any split, and U+2028 inside a string is data", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.json()),
      fc.constantFrom("\n", "\r\n", "\n\n"),
      fc.array(fc.nat()),
      async (docs, ending, places) => {
        const sent = docs.map((d) => JSON.stringify([d, "a\u2028b"]));
        expect((await collect(ndjsonBatches(cutBytes(encode(sent.join(ending)), places)))).flat()).toEqual(
          sent,
        );
      },
    ),
  );
});

test("an endless stream is stopped at the size limit", async () => {
  const piece = encode(`: ${"x".repeat(1024 * 1024)}\n`);
  let sent = 0;
  async function* endless() {
    for (;;) {
      sent += piece.length;
      yield piece;
    }
  }
  await expect(collect(sseBatches(endless()))).rejects.toThrow("longer than 256 MiB");
  await expect(collect(ndjsonBatches(endless()))).rejects.toThrow("longer than 256 MiB");
  expect(sent).toBeLessThan(2 * (wireBounds.answerBytes.most + 2 * piece.length));
});

test("llama.cpp's field for errors is an event of that name", async () => {
  const text = 'data: {"a":1}\n\nerror: {"code":500,"message":"It broke."}\n\n';
  expect((await collect(sseBatches(cutBytes(encode(text), [])))).flat()).toEqual([
    { event: "message", data: '{"a":1}' },
    { event: "error", data: '{"code":500,"message":"It broke."}' },
  ]);
});
