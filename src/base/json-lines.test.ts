import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "./async.ts";
import { jsonLines } from "./json-lines.ts";

const odd = ["\u2028", "\u2029", "\u0085", "\u000b", "\u000c", "\r", "\n", "é", "😀", '"', "a"];

test("every JSON text is one line, whatever its strings hold and however the bytes are split", async () => {
  const values = fc.array(fc.array(fc.constantFrom(...odd)).map((all) => all.join("")));
  await fc.assert(
    fc.asyncProperty(values, fc.integer({ min: 1, max: 9 }), fc.boolean(), async (all, size, isEnded) => {
      const text =
        all.map((value) => JSON.stringify(value)).join("\n") + (isEnded && all.length > 0 ? "\n" : "");
      const bytes = Buffer.from(text);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const read = await collect(jsonLines(Readable.from(pieces)));
      expect(read.map((line): unknown => JSON.parse(line))).toEqual(all);
    }),
  );
});

test("lines of Windows, empty lines and texts instead of bytes are read as well", async () => {
  expect(await collect(jsonLines(Readable.from(["1\r\n\n", "2\n", "", "3"])))).toEqual(["1\r", "", "2", "3"]);
  expect(await collect(jsonLines(Readable.from(["\n"])))).toEqual([""]);
});
