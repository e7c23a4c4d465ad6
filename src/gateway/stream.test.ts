/** Streamed replies: complete, as fast as they are read, and stopped when the client stops reading. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { slices, streamOf } from "./stream.ts";

test("slices add up to the whole text and never split a character", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 70_000 }),
      fc.constantFrom("x", "é", "😀", "a😀"),
      (length, unit) => {
        const text = `${"-".repeat(length)}${unit.repeat(70_000)}`;
        const cut = [...slices(text)];
        expect(cut.join("")).toBe(text);
        expect(cut.every((piece) => piece.isWellFormed() && piece.length <= 65_536)).toBe(true);
      },
    ),
    { numRuns: 20 },
  );
});

test("a text of lone surrogates is sliced completely", () => {
  const text = "\uD83D".repeat(200_000);
  expect([...slices(text)].join("")).toBe(text);
});

test("a stream takes pieces only as they are read, and stops when the reader cancels", async () => {
  const taken: number[] = [];
  let isOver = false;
  async function* numbers(): AsyncGenerator<string, void> {
    try {
      for (let number = 0; ; number += 1) {
        taken.push(number);
        yield `${number}\n`;
      }
    } finally {
      isOver = true;
    }
  }
  const reader = (await streamOf(numbers())).getReader();
  expect(taken).toEqual([0]);
  await reader.read();
  expect(taken).toEqual([0]);
  await reader.read();
  expect(taken).toEqual([0, 1]);
  await reader.cancel();
  expect([taken, isOver]).toEqual([[0, 1], true]);
});

test("a failure before the first piece rejects the stream immediately", async () => {
  // oxlint-disable-next-line require-yield
  async function* failing(): AsyncGenerator<string, void> {
    throw new Error("There is nothing.");
  }
  await expect(streamOf(failing())).rejects.toThrow("There is nothing.");
  async function* empty(): AsyncGenerator<string, void> {}
  expect(await new Response(await streamOf(empty())).text()).toBe("");
});
