import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import type { ToolCall } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import { extract } from "./extract.ts";
import { allDialects } from "./index.ts";
import { summary, tool } from "./testing/reading.ts";

const tools = [tool("ping", {}), tool("play", { track: "string" }, ["track"])];
const written = '<tool_call>{"name": "ping", "arguments": {}}</tool_call>';
const native: ToolCall = { id: "n1", name: "play", input: { track: "Oleo" }, source: "native" };

const say = (text: string): ModelEvent => ({ type: "text-delta", text });
const call: ModelEvent[] = [
  { type: "call-start", id: "n1", name: "play" },
  { type: "call-end", call: native },
];

async function heard(...said: ModelEvent[]) {
  async function* events(): AsyncGenerator<ModelEvent> {
    yield { type: "answer-start", model: "m" };
    yield* said;
    yield { type: "answer-end", reason: "stop" };
  }
  const all = await collect(extract(events(), { tools, dialects: allDialects, isNative: true }));
  return { ...summary(all), end: all.at(-1) };
}

test("a call that a native model prints as text is read, however the text is chunked", async () => {
  for (const cut of [1, 9, 30, written.length]) {
    const answer = await heard(say(`Now.\n${written.slice(0, cut)}`), say(written.slice(cut)));
    expect(answer).toMatchObject({ text: "Now.", calls: [{ name: "ping" }], end: { reason: "tool-calls" } });
  }
});

test("bare JSON that a native model prints as its whole message is read as a call", async () => {
  const answer = await heard(say('{"name":"play","argu'), say('ments":{"track":"Oleo"}}'));
  expect(answer).toMatchObject({ text: "", calls: [{ name: "play", input: { track: "Oleo" } }] });
});

test("N13: a native call wins, and a written call before or after it stays text", async () => {
  const before = await heard(say(`So: ${written} then`), ...call);
  expect(before).toMatchObject({ text: `So: ${written} then`, calls: [native] });
  const after = await heard(...call, say(`Also ${written}`));
  expect(after).toMatchObject({ text: `Also ${written}`, calls: [native] });
});

test("a half marker before a native call is shown as text", async () => {
  expect(await heard(say("See <tool_c"), ...call)).toMatchObject({ text: "See <tool_c", calls: [native] });
});

test("text without calls passes through, and the answer keeps its end reason", async () => {
  const answer = await heard(say("Hello."));
  expect(answer).toMatchObject({ text: "Hello.", calls: [], end: { type: "answer-end", reason: "stop" } });
});

test("N5: a call on the reasoning channel never runs, and is reported if the answer holds nothing else", async () => {
  const thought: ModelEvent[] = [
    { type: "reasoning-delta", text: `I do ${written}` },
    { type: "reasoning-end" },
  ];
  const empty = await heard(...thought);
  expect(empty.calls).toMatchObject([{ name: "ping", input: {}, fault: "call_in_reasoning" }]);
  expect(await heard(...thought, say("No."))).toMatchObject({ text: "No.", calls: [] });
});
