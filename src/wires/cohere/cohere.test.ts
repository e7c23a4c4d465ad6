import { readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolCall } from "../../protocol/messages.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { mergeDeltas } from "../testing/arbitraries.ts";
import { cohere } from "./cohere.ts";

const transcripts = new URL("../../../test/transcripts/cohere/", import.meta.url);
const recorded = (name: string): Promise<Buffer> => readFile(new URL(name, transcripts));
const read = (bytes: Uint8Array, places?: number[]): Promise<StreamOutcome> => readAll(cohere, bytes, places);

const start: ModelEvent = { type: "answer-start", model: "" };
const text = (said: string): ModelEvent => ({ type: "text-delta", text: said });
const plan = (said: string): ModelEvent[] => [
  { type: "reasoning-delta", text: said },
  { type: "reasoning-end" },
];
const thought = (said: string): ModelEvent[] => [
  { type: "reasoning-delta", text: said },
  { type: "reasoning-end", state: { from: "cohere", value: "thinking" } },
];
const whole = (call: Omit<ToolCall, "source">, json?: string): ModelEvent[] => [
  { type: "call-start", id: call.id, name: call.name },
  ...(json === undefined ? [] : [{ type: "call-delta", id: call.id, json } as const]),
  { type: "call-end", call: { ...call, source: "native" } },
];
const weather = (id: string, location: string): ModelEvent[] =>
  whole({ id, name: "get_weather", input: { location } }, `{\n    "location": "${location}"\n}`);
const ended = (
  reason: "stop" | "tool-calls" | "length",
  ...[inputTokens, outputTokens, cacheReadTokens]: [number, number, number?]
): ModelEvent[] => [
  {
    type: "usage",
    usage: { inputTokens, outputTokens, ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }) },
  },
  { type: "answer-end", reason },
];

const streams: Record<string, ModelEvent[]> = {
  "text.sse": [start, text("A large language model…"), ...ended("stop", 71, 6)],
  "tool-call.sse": [
    start,
    ...plan("I will search for the weather in Madrid and Brasilia."),
    ...weather("get_weather_p1t92w7gfgq7", "Madrid"),
    ...weather("get_weather_ay6nmvjgp9vn", "Brasilia"),
    ...ended("tool-calls", 913, 83),
  ],
  "no-arguments.sse": [
    start,
    ...plan("I will look at the clock."),
    ...whole({ id: "current_time_y46ar19t5gvw", name: "current_time", input: {} }),
    ...whole({ id: "current_date_x0", name: "current_date", input: {} }, "null"),
    ...ended("tool-calls", 1445, 43, 704),
  ],
  "thinking.sse": [
    start,
    ...thought("Okay, the tool says 24°C 🌤."),
    text("It is 24°C in Madrid."),
    ...ended("stop", 1494, 330, 1008),
  ],
  "thinking-call.sse": [
    start,
    ...thought("The 2nd largest city is Osaka."),
    ...whole(
      { id: "get_the_weather_r8d0r2e0kw9s", name: "get_the_weather", input: { location: "Osaka" } },
      '{"location":"Osaka"}',
    ),
    ...ended("tool-calls", 1494, 330, 1008),
  ],
  "cut-off.sse": [
    start,
    ...plan("I clean up."),
    ...whole({ id: "run_1", name: "run_command", input: { command: "ls" } }, '{"command":"ls"}'),
    ...whole(
      {
        id: "run_2",
        name: "run_command",
        input: {},
        problem: "The answer reached its length limit before the arguments were complete.",
        fault: "truncated",
        rawArguments: '{"command":"rm -rf /srv/old',
      },
      '{"command":"rm -rf /srv/old',
    ),
    ...ended("length", 900, 64),
  ],
};

for (const [name, expected] of Object.entries(streams))
  test(`N11: the recorded stream ${name} gives its events, split at every byte and anywhere`, async () => {
    const bytes = await recorded(name);
    const everyByte = Array.from(bytes, (_, at) => at);
    for (const places of [[], everyByte])
      expect(mergeDeltas((await read(bytes, places)).events)).toEqual(expected);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat()), async (places) => {
        expect(mergeDeltas((await read(bytes, places)).events)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

test("the recorded whole replies give their events", async () => {
  const body = async (name: string): Promise<unknown> => JSON.parse((await recorded(name)).toString());
  expect(cohere.decodeWhole(await body("whole.json"))).toEqual([
    start,
    ...plan("I will search for the weather in Toronto."),
    ...whole(
      { id: "get_weather_1byjy32y4hvq", name: "get_weather", input: { location: "Toronto" } },
      '{"location":"Toronto"}',
    ),
    ...ended("tool-calls", 886, 70),
  ]);
  expect(cohere.decodeWhole(await body("whole-text.json"))).toEqual([
    start,
    ...thought("The tool says 20°C."),
    text("It's 20°C in Toronto."),
    ...ended("stop", 1185, 87),
  ]);
});

test("N12: an error at the end of a stream is a failure and never completes the open call", async () => {
  const { events, error } = await read(await recorded("error-mid-stream.sse"));
  expect(events.map(({ type }) => type)).toEqual(["answer-start", "text-delta", "call-start", "call-delta"]);
  expect(error).toMatchObject({
    kind: "server",
    fault: "stream_error",
    midStream: true,
    inFull: "The provider failed: internal error. Try again in a moment.",
  });
});

test("N12: a stream truncated at any byte is incomplete and never completes an open call", async () => {
  for (const name of Object.keys(streams)) {
    const bytes = await recorded(name);
    const complete = (await read(bytes)).events.filter((event) => event.type === "call-end");
    if (complete.length === 0) continue;
    const end = bytes.indexOf("\n", bytes.indexOf('{"type":"message-end"')) - 1;
    for (let length = 0; length <= end; length++) {
      const { events, error } = await read(bytes.subarray(0, length));
      expect(error).toMatchObject({
        kind: "network",
        fault: "incomplete_stream",
        midStream: events.length > 0,
      });
      const calls = events.filter((event) => event.type === "call-end");
      expect(calls).toEqual(complete.slice(0, calls.length));
    }
  }
});

test("a request goes to the v2 chat path, with the key as a bearer token", () => {
  expect(cohere.path("m", { streamed: true })).toBe("/v2/chat");
  expect([cohere.headers(undefined), cohere.headers("k")]).toEqual([{}, { authorization: "Bearer k" }]);
  expect(["/v2/chat", "/v2/chat?x=1", "/v1/chat"].map((path) => cohere.match(path))).toEqual([
    {},
    {},
    undefined,
  ]);
});
