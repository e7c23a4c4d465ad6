import { expect, test } from "vitest";
import { mistral } from "../mistral.ts";
import { few, outcome, ping, roll } from "../testing/outcome.ts";
import { readAnswer, tool } from "../testing/reading.ts";

/** Reads mistral, the plainest format that puts the name before the arguments. */
const read = (text: string, more = {}) => outcome(text, { tools: few, dialects: [mistral], ...more });
const call = (name: string, body: string): string => `[TOOL_CALLS]${name}[ARGS]${body}`;

test("a call and its arguments stream while they are written, followed by one call-end", () => {
  const text = call("say", '{"text": "a\nb", "name": "x", "arguments": {"c": 1}}');
  const { events } = readAnswer(text, { tools: few, dialects: [mistral], chunk: 4 });
  const shown = events.flatMap((event) => (event.type === "call-delta" ? event.json : [])).join("");
  expect(JSON.parse(shown)).toEqual({ text: "a\nb", name: "x", arguments: { c: 1 } });
  expect(events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1])).toEqual([
    "call-start",
    "call-delta",
    "call-end",
  ]);
});

test("text after a call is emitted after the call's events", () => {
  const { events } = readAnswer("<function=ping>{}\nDone.", { tools: few });
  expect(events.map(({ type }) => type)).toEqual(["call-start", "call-delta", "call-end", "text-delta"]);
});

test("brackets inside damaged strings do not end the arguments", () => {
  expect(read(call("say", '{"text": "say "hi}" ok"}')).calls).toEqual([["say", { text: 'say "hi}" ok' }]]);
  expect(read(call("say", "{'text': 'a}b'}")).calls).toEqual([["say", { text: "a}b" }]]);
  expect(read(call("say", "{“text”: “a}b”}")).calls).toEqual([["say", { text: "a}b" }]]);
});

test("unreadable arguments do not invalidate the next call", () => {
  expect(read(call("roll", "{sides six}") + call("ping", "{}"))).toMatchObject({
    calls: [ping],
    faults: ["malformed_arguments"],
  });
  expect(read(call("roll", "[1, 2]"))).toMatchObject({ text: "", faults: ["malformed_arguments"] });
});

test("a string whose end is guessed never contains the marker of another call", () => {
  const text = call("say", '{"text": "a "b [TOOL_CALLS]ping[ARGS]{"x": "y"}');
  for (const [name] of read(text).calls) expect(name).toBe("ping");
});

test("arguments wrapped in a call of the same name are unwrapped unless the tool has such parameters", () => {
  const body = '{"name": "roll", "arguments": {"sides": 6}}';
  expect(read(call("roll", body)).calls).toEqual([roll]);
  const own = tool("roll", { name: "string", arguments: "object" });
  expect(read(call("roll", body), { tools: [own] }).calls).toEqual([["roll", JSON.parse(body)]]);
  expect(read(call("roll", '{"name": "ping", "arguments": {}}')).calls).toEqual([
    ["roll", { name: "ping", arguments: {} }],
  ]);
});

test("a wrapper of parallel calls is unwrapped unless a tool has its name", () => {
  const uses =
    '{"tool_uses": [{"recipient_name": "ping", "parameters": {}}, {"recipient_name": "roll", "parameters": {"sides": 6}}]}';
  expect(read(call("multi_tool_use.parallel", uses)).calls).toEqual([ping, roll]);
  const own = tool("parallel", { tool_uses: "array" });
  expect(read(call("parallel", uses), { tools: [own] }).calls).toEqual([["parallel", JSON.parse(uses)]]);
});

test("N17: arguments nested too deeply are refused", () => {
  const deep = `${'{"a":'.repeat(200)}1${"}".repeat(200)}`;
  expect(read(call("ping", deep))).toMatchObject({ calls: [], faults: ["malformed_arguments"] });
});
