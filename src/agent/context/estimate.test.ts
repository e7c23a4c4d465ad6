import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../base/testing/any-character.ts";
import type { Message } from "../../protocol/messages.ts";
import { estimateText, likelyTokens, mostTokens } from "./estimate.ts";

/** Tokens per 100 characters with today's tokenizers; estimates must be within a factor of two. */
const known: { of: string; text: string; tokens: number }[] = [
  { of: "code", text: readFileSync(join(import.meta.dirname, "estimate.ts"), "utf8"), tokens: 26 },
  {
    of: "English",
    text: "The quick brown fox jumps over the lazy dog, and then it sleeps. ".repeat(20),
    tokens: 23,
  },
  { of: "Base64", text: Buffer.from(noise(6_000)).toString("base64"), tokens: 65 },
  { of: "hexadecimal digits", text: Buffer.from(noise(6_000)).toString("hex"), tokens: 55 },
  { of: "Chinese", text: "你好，世界。今天我们来写一个程序。".repeat(50), tokens: 75 },
  { of: "Russian", text: "Быстрая лиса прыгает через ленивую собаку. ".repeat(30), tokens: 30 },
  { of: "Thai", text: "สวัสดีชาวโลกวันนี้เราจะเขียนโปรแกรม".repeat(30), tokens: 60 },
];

function noise(count: number): Uint8Array {
  let state = 7;
  return Uint8Array.from({ length: count }, () => (state = (state * 48_271) % 2_147_483_647) % 256);
}

test.each(known)("the token estimate for $of is within a factor of two", ({ text, tokens }) => {
  const per100 = (estimateText(text) * 100) / text.length;
  expect(per100).toBeGreaterThan(tokens / 2);
  expect(per100).toBeLessThan(tokens * 2);
});

test("the estimate for a very long text is within ten percent of its proportional share", () => {
  const code = readFileSync(join(import.meta.dirname, "estimate.ts"), "utf8");
  const long = code.repeat(Math.ceil(3_000_000 / code.length));
  const expected = (estimateText(code) / code.length) * long.length;
  expect(estimateText(long) / expected).toBeGreaterThan(0.9);
  expect(estimateText(long) / expected).toBeLessThan(1.1);
});

test("the likely token count never exceeds the highest possible one, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.jsonValue(), (words, value) => {
      const call = { id: "c", name: "t", input: { value }, source: "native" };
      const messages: Message[] = [
        { role: "user", content: [{ type: "text", text: words }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: words },
            { type: "call", call: JSON.parse(JSON.stringify(call)) },
          ],
        },
        { role: "tool", callId: "c", name: "t", isError: false, content: [{ type: "text", text: words }] },
      ];
      for (const message of messages) expect(likelyTokens(message)).toBeLessThanOrEqual(mostTokens(message));
    }),
    { numRuns: 30 },
  );
});
