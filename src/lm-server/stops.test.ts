/** An answer ends at its client's stop sequence, whether or not the provider supports it. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { untilStop } from "./stops.ts";
import { askServer, testServer } from "./testing/server.ts";

const words = (text: string): ModelEvent => ({ type: "text-delta", text });

async function* eventsOf(all: readonly ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* all;
}

/** The text up to a stop sequence, and how the answer ends. */
async function heard(pieces: readonly string[], stops: readonly string[]): Promise<[string, unknown]> {
  const events = eventsOf([...pieces.map(words), { type: "answer-end", reason: "length" }]);
  const all = await collect(untilStop(events, stops, () => []));
  return [all.map((event) => (event.type === "text-delta" ? event.text : "")).join(""), all.at(-1)];
}

test("an answer ends before the first stop sequence, however it is split into chunks", async () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 30 });
  const stop = fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(letters, { maxLength: 8 }),
      fc.array(stop, { maxLength: 3 }),
      async (pieces, stops) => {
        const text = pieces.join("");
        const places = stops.map((one) => text.indexOf(one)).filter((at) => at !== -1);
        const reason = places.length > 0 ? "stop" : "length";
        const said = places.length > 0 ? text.slice(0, Math.min(...places)) : text;
        expect(await heard(pieces, stops)).toEqual([said, { type: "answer-end", reason }]);
      },
    ),
  );
});

test("text that may begin a stop sequence is held back, and released when something else follows", async () => {
  const call = { id: "1", name: "f", input: {}, source: "native" };
  const all: ModelEvent[] = [words("One EN"), { type: "call-end", call }, words("D two END three")];
  expect(await collect(untilStop(eventsOf(all), ["END"], () => []))).toEqual([
    words("One "),
    words("EN"),
    { type: "call-end", call },
    words("D two "),
    { type: "answer-end", reason: "tool-calls" },
  ]);
});

/** A model that never ends by itself and ignores stop sequences. */
async function* endless(): AsyncGenerator<string> {
  yield "Thought: look.\nObser";
  yield "vation: none.\n";
  for (;;) yield "Observation: none.\n";
}

test.each([
  ["/v1/chat/completions", { stop: ["\nObservation:"] }, ["choices", 0, "finish_reason"], "stop"],
  ["/v1/messages", { stop_sequences: ["\nObservation:"], max_tokens: 99 }, ["stop_reason"], "end_turn"],
  ["/api/chat", { options: { stop: ["\nObservation:"] }, stream: false }, ["done_reason"], "stop"],
])("%s: an endless model is stopped at the stop sequence, with a usage", async (path, wants, place, end) => {
  let hasEnded = false;
  const model = {
    name: "tiny",
    async *ask(): AsyncGenerator<ModelEvent> {
      try {
        yield { type: "answer-start", model: "tiny" };
        for await (const text of endless()) yield words(text);
      } finally {
        hasEnded = true;
      }
    },
  };
  await using server = await testServer(model, { count: ({ messages }) => JSON.stringify(messages).length });
  const body = { model: "x", messages: [{ role: "user", content: "Go." }], ...wants };
  const reply: unknown = await (await askServer(server, path, { body })).json();
  expect(JSON.stringify(reply)).toContain('"Thought: look."');
  expect(at(reply, place)).toBe(end);
  expect(hasEnded).toBe(true);
  expect(server.lines).toMatchObject([
    { noted: ["stop-reached"], usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) } },
  ]);
});

const at = (value: unknown, place: readonly (string | number)[]): unknown =>
  place.reduce<unknown>(
    (inner, key) => Object.entries(inner ?? {}).find(([name]) => name === String(key))?.[1],
    value,
  );

test("if the provider stops by itself, its answer and its usage are passed on", async () => {
  const model = scriptedModel([[{ say: "Thought: look." }, { usage: { inputTokens: 7, outputTokens: 3 } }]]);
  await using server = await testServer(model);
  const body = { model: "x", messages: [{ role: "user", content: "Go." }], stop: "\nObservation:" };
  const reply = await askServer(server, "/v1/chat/completions", { body });
  expect(await reply.json()).toMatchObject({ usage: { prompt_tokens: 7, completion_tokens: 3 } });
  expect(reply.headers.get("x-toolwright-repairs")).toBe(null);
});

test("too many or too long stop sequences are refused", async () => {
  await using server = await testServer(scriptedModel([]));
  const messages = [{ role: "user", content: "Go." }];
  for (const stop of [Array.from({ length: 65 }, () => "x"), ["x".repeat(257)]]) {
    const reply = await askServer(server, "/v1/chat/completions", { body: { model: "x", messages, stop } });
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('\\"stop\\"');
  }
});
