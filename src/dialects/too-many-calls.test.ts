import { describe, expect, test } from "vitest";
import { hermes } from "./hermes.ts";
import { mistral } from "./mistral.ts";
import { extractorFor } from "./testing/reading.ts";

const calls = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `call0000${at}`, name: "ping", input: { n: at } }));

function heard(text: string) {
  const extractor = extractorFor({});
  const events = [...extractor.push(text), ...extractor.end("stop")];
  const ends = events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));
  return {
    good: ends.filter(({ problem }) => problem === undefined).length,
    refused: ends.flatMap(({ fault }) => fault ?? []),
    shown: events.filter(({ type }) => type === "call-start").length,
    text: events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join(""),
  };
}

describe.each([
  ["one block each", hermes],
  ["all in one block", mistral],
])("calls in %s", (_, dialect) => {
  test("32 calls are all accepted, and the text after them is kept", () => {
    const answer = heard(`${dialect.writeCalls(calls(32))}\nThat is all.`);
    expect(answer).toEqual({ good: 32, refused: [], shown: 32, text: "That is all." });
  });

  test("of 40 calls the first 32 are accepted, and one refusal reports the rest", () => {
    const answer = heard(dialect.writeCalls(calls(40)));
    expect(answer).toEqual({ good: 32, refused: ["too_many_calls"], shown: 33, text: "" });
  });
});
