/** Tests that a paste reaches the line editor as a mark and the message verbatim, however its bytes are cut. */

import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tuiBounds } from "../bounds.ts";
import { PasteFilter } from "./paste-filter.ts";

const begin = "\u001B[200~";
const end = "\u001B[201~";

/** The text that the editor receives for these chunks. */
async function heard(pieces: readonly (string | Buffer)[]): Promise<{ keys: string; filter: PasteFilter }> {
  const input = new PassThrough();
  const filter = new PasteFilter(input);
  let keys = "";
  filter.on("data", (text: string) => (keys += text));
  for (const piece of pieces) input.write(piece);
  input.end();
  await new Promise((resolve) => filter.once("end", resolve));
  return { keys, filter };
}

test("keys pass through unchanged", async () => {
  const typed = "hello\r\u001B[A\u001B[1;5C\u0003\u001B";
  expect((await heard([typed])).keys).toBe(typed);
  expect((await heard(Array.from(typed))).keys).toBe(typed);
});

test("a short pasted line is inserted as typed text and not sent", async () => {
  expect((await heard([`${begin}ls -l\r${end}`])).keys).toBe("ls -l");
});

test("several pasted lines are replaced by a mark that expands to them", async () => {
  const { keys, filter } = await heard([`a ${begin}one\r\ntwo\rthree${end} z`]);
  expect(keys).toBe("a [pasted #1: 3 lines] z");
  expect(filter.expand(keys)).toBe("a one\ntwo\nthree z");
  expect(filter.expand("[pasted #2: 3 lines]")).toBe("[pasted #2: 3 lines]");
});

test("pasted control characters do not reach the editor as keys", async () => {
  const { keys, filter } = await heard([`${begin}\u0003\u0004\t${end}`]);
  expect(keys).toBe("[pasted #1: 3 characters]");
  expect(filter.expand(keys)).toBe("\u0003\u0004\t");
});

test("a line of 100 KB without paste marks reaches the editor shortened", async () => {
  const { keys, filter } = await heard(Array.from({ length: 25 }, () => "x".repeat(4000)));
  expect(keys.length).toBeLessThan(1000);
  expect(filter.expand(keys)).toBe("x".repeat(100_000));
});

test("an oversized paste is truncated to its bound, and its end mark is still found", async () => {
  const block = "y".repeat(1_000_000);
  const { keys, filter } = await heard([
    begin,
    block,
    block,
    block,
    block,
    block,
    end.slice(0, 3),
    end.slice(3),
    "k",
  ]);
  expect(keys).toBe(`[pasted #1: ${tuiBounds.pasted.most} characters, cut]k`);
  expect(filter.expand(keys).length).toBe(tuiBounds.pasted.most + 1);
});

test("too many large pastes evict the oldest, never the newest", async () => {
  const half = "z".repeat(tuiBounds.pasted.most - 1);
  const pastes = Array.from({ length: 6 }, () => `${begin}${half}${end}`);
  const { keys, filter } = await heard(pastes);
  const marks = keys.match(/\[[^\]]*\]/gu) ?? [];
  expect(marks).toHaveLength(6);
  expect(filter.expand(marks[0] ?? "")).toBe(marks[0]);
  expect(filter.expand(marks[5] ?? "")).toHaveLength(half.length);
});

test("however the input is split into chunks, the message is preserved", async () => {
  const word = fc.stringMatching(/^[a-zé😀 ]{0,12}$/u);
  const line = fc.stringMatching(/^[a-z0-9 é~[;]{1,30}$/u);
  const parts = fc.array(fc.tuple(word, fc.array(line, { minLength: 2, maxLength: 6 })), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(parts, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), async (message, sizes) => {
      const bytes = Buffer.from(
        message.map(([typed, lines]) => `${typed}${begin}${lines.join("\r")}${end}`).join(""),
      );
      const { keys, filter } = await heard(cut(bytes, sizes));
      expect(filter.expand(keys)).toBe(message.map(([typed, lines]) => typed + lines.join("\n")).join(""));
    }),
    { numRuns: 200 },
  );
});

/**
 * Never cuts within the first three bytes of a mark: a terminal writes those at once, and a shorter prefix is a key.
 */
function cut(bytes: Buffer, sizes: Iterator<number>): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    let until = at + (sizes.next().value ?? 1);
    while (bytes[until - 1] === 0x1b || (bytes[until - 2] === 0x1b && bytes[until - 1] === 0x5b)) until += 1;
    pieces.push(bytes.subarray(at, until));
    at = until;
  }
  return pieces;
}
