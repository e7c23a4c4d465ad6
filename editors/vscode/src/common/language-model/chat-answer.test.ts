import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../../../../src/base/async.ts";
import { answerPieces } from "./chat-answer.ts";

const frame = (value: unknown): string =>
  `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const delta = (given: object, finish?: string) =>
  frame({ choices: [{ index: 0, delta: given, finish_reason: finish ?? null }] });
const call = (index: number, fields: object) => delta({ tool_calls: [{ index, ...fields }] });

async function read(stream: string, cuts: readonly number[] = []) {
  const bytes = new TextEncoder().encode(stream);
  const places = [0, ...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b), bytes.length];
  async function* pieces() {
    for (const [at, from] of places.entries()) yield bytes.slice(from, places[at + 1]);
  }
  return collect(answerPieces(pieces()));
}

const whole = [
  delta({ role: "assistant", content: "Grüße " }),
  call(0, { id: "a", function: { name: "read", arguments: '{"pa' } }),
  call(1, { id: "b", function: { name: "list", arguments: "" } }),
  call(0, { function: { arguments: 'th":"ä.ts"}' } }),
  delta({}, "tool_calls"),
  frame({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } }),
  frame("[DONE]"),
].join("");

test("an answer is the same however its bytes are split", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (cuts) => {
      expect(await read(whole, cuts)).toEqual([
        { type: "text", text: "Grüße " },
        { type: "usage", usage: { input: 3, output: 4 } },
        { type: "call", id: "a", name: "read", input: { path: "ä.ts" } },
        { type: "call", id: "b", name: "list", input: {} },
      ]);
    }),
  );
});

test("a call that was cut off is never passed on", async () => {
  const begun = call(0, { id: "a", function: { name: "write", arguments: '{"path":"a' } });
  await expect(read(begun + delta({}, "length"))).rejects.toThrow("cut off at its length limit");
  await expect(read(begun)).rejects.toThrow("The answer broke off.");
  await expect(read(begun + delta({}, "tool_calls"))).rejects.toThrow("cannot be read");
});

test("an error inside of the stream ends the answer with its words", async () => {
  await expect(
    read(delta({ content: "Well" }) + frame({ error: { message: "Overloaded." } })),
  ).rejects.toThrow("Overloaded.");
});
