import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import { cutBytes } from "../testing/byte-pieces.ts";
import { oneByOne } from "./frames.ts";
import { wireCalled } from "./index.ts";

/** Runs the cases of test/fixtures/calls.jsonl that depend on a wire alone (the README there explains the comparison). */

type Case = {
  id: string;
  quirk: string;
  wire?: string;
  chunks?: string[];
  chunks_b64?: string[];
  expect: {
    text: string;
    reasoning?: string;
    calls: { name: string; arguments: object; id?: string }[];
    errors?: string[];
  };
};

/** Cases whose calls are in the text, where a dialect reads them rather than a wire. */
const textual = ["p-openai-chat-07", "p-ollama-03"];

const cases = readFileSync(new URL("../../test/fixtures/calls.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line): Case => JSON.parse(line))
  .filter(({ id, wire }) => wireCalled(wire ?? "") !== undefined && !textual.includes(id));

const bytesOf = ({ chunks, chunks_b64 }: Case): Buffer =>
  chunks
    ? Buffer.from(chunks.join(""))
    : Buffer.concat((chunks_b64 ?? []).map((chunk) => Buffer.from(chunk, "base64")));

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const joined = (events: readonly ModelEvent[], type: "text-delta" | "reasoning-delta"): string =>
  plain(events.map((event) => (event.type === type ? event.text : "")).join(""));

/** Reduces what was read to the fields that the case expects: a failed answer runs no call. */
async function heard(it: Case, places: readonly number[]): Promise<Case["expect"]> {
  const events: ModelEvent[] = [];
  const errors: string[] = [];
  try {
    const batches = wireCalled(it.wire ?? "")?.decodeBatches(cutBytes(bytesOf(it), places));
    for await (const event of batches ? oneByOne(batches) : []) events.push(event);
  } catch (error) {
    errors.push(error instanceof ModelError ? (error.fault ?? error.kind) : String(error));
  }
  const calls = events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));
  const runnable = errors.length > 0 ? [] : calls.filter(({ problem }) => problem === undefined);
  return {
    text: joined(events, "text-delta"),
    reasoning: joined(events, "reasoning-delta"),
    calls: runnable.map(({ name, input, id }, at) => ({
      name,
      arguments: input,
      ...(it.expect.calls[at]?.id === undefined ? {} : { id }),
    })),
    errors: [...errors, ...calls.flatMap(({ fault }) => (fault === undefined ? [] : [fault]))],
  };
}

test("the fixture contains cases for the wires", () => {
  expect(cases.length).toBeGreaterThanOrEqual(17);
});

test.each(cases)("$id ($quirk) is understood however it is split", async (it) => {
  const { text, reasoning = "", calls, errors = [] } = it.expect;
  const expected = { text: plain(text), reasoning: plain(reasoning), calls, errors };
  const { length } = bytesOf(it);
  for (const step of [length, 1, 3, 11]) {
    const places = Array.from({ length: Math.floor(length / step) }, (_, at) => (at + 1) * step);
    expect(await heard(it, places)).toEqual(expected);
  }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: length })), async (places) => {
      expect(await heard(it, places)).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});
