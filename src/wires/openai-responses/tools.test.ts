import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import { isObject, type JsonObject } from "../../base/json.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import { openaiResponses } from "./openai-responses.ts";

const run = { type: "function", name: "run", description: "Runs.", parameters: { type: "object" } };
const patch = {
  type: "custom",
  name: "apply_patch",
  description: "Changes files.",
  format: { type: "grammar", syntax: "lark", definition: "start: hunk+" },
};
const agents = {
  type: "namespace",
  name: "agents",
  description: "Other agents.",
  tools: [{ type: "function", name: "run", description: "Starts one.", parameters: { type: "object" } }],
};
const asked = (more: JsonObject = {}): ReturnType<typeof openaiResponses.decodeAsk> =>
  openaiResponses.decodeAsk({
    model: "m",
    input: "Hi",
    tools: [run, patch, agents, { type: "web_search" }],
    ...more,
  });

test("function, custom and namespaced tools are offered; the service's own tools are left out", () => {
  const { ask } = asked();
  expect(ask.tools.map(({ name }) => name)).toEqual(["run", "apply_patch", "agents__run"]);
  expect(ask.tools[1]).toMatchObject({
    schema: { properties: { input: { type: "string" } }, required: ["input"] },
    description: expect.stringMatching(/^Changes files\.[^]*"input"[^]*start: hunk\+$/u),
  });
});

async function* of(...events: ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events;
}

const answer = (...calls: { id: string; name: string; input: JsonObject }[]): ModelEvent[] => [
  { type: "answer-start", model: "m" },
  ...calls.flatMap(({ id, name, input }): ModelEvent[] => [
    { type: "call-start", id, name },
    { type: "call-delta", id, json: JSON.stringify(input) },
    { type: "call-end", call: { id, name, input, source: "native" } },
  ]),
  { type: "answer-end", reason: "tool-calls" },
];

const text = "*** Begin Patch\n*** End Patch";
const both = answer(
  { id: "call_1", name: "apply_patch", input: { input: text } },
  { id: "call_2", name: "agents__run", input: { task: "Look." } },
  { id: "call_3", name: "run", input: { command: "ls" } },
);
const written: JsonObject[] = [
  { type: "custom_tool_call", call_id: "call_1", name: "apply_patch", input: text, status: "completed" },
  {
    type: "function_call",
    call_id: "call_2",
    namespace: "agents",
    name: "run",
    arguments: '{"task":"Look."}',
  },
  { type: "function_call", call_id: "call_3", name: "run", arguments: '{"command":"ls"}' },
];

test("each call is sent in the form its tool was offered in, whole and streamed", async () => {
  const { forms } = asked();
  expect(openaiResponses.encodeWhole(both, forms)["output"]).toMatchObject(written);
  const told = (await collect(openaiResponses.encodeEvents(of(...both), forms))).join("");
  const frames = [...told.matchAll(/^data: (.*)$/gmu)].map(([, data = ""]): JsonObject => JSON.parse(data));
  const done = frames.filter(({ type }) => type === "response.output_item.done");
  expect(done.map(({ item }) => item)).toMatchObject(written);
  expect(frames.filter(({ type }) => JSON.stringify(type).includes("custom_tool_call"))).toMatchObject([
    { type: "response.custom_tool_call_input.delta", delta: text, output_index: 0 },
    { type: "response.custom_tool_call_input.done", input: text, output_index: 0 },
  ]);
  const [added] = frames.filter(({ type }) => type === "response.output_item.added");
  expect(added).toMatchObject({ item: { type: "custom_tool_call", name: "apply_patch", input: "" } });
});

test("a call of a tool without a known form is sent as a function call", () => {
  const calls = answer({ id: "c", name: "agents__run", input: {} });
  expect(openaiResponses.encodeWhole(calls)["output"]).toMatchObject([
    { type: "function_call", name: "agents__run" },
  ]);
});

test("custom and namespaced calls are read from a history with their results; the service's own calls are skipped", () => {
  const { ask } = asked({
    input: [
      { role: "user", content: "Hi" },
      { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "x" } },
      ...written,
      { type: "custom_tool_call_output", call_id: "call_1", output: "Done." },
      { type: "function_call_output", call_id: "call_2", output: "Started." },
      { type: "local_shell_call_output", id: "l", output: "" },
    ],
  });
  const call = { source: "native" };
  expect(ask.messages.slice(1)).toEqual([
    {
      role: "assistant",
      content: [
        { type: "call", call: { ...call, id: "call_1", name: "apply_patch", input: { input: text } } },
        { type: "call", call: { ...call, id: "call_2", name: "agents__run", input: { task: "Look." } } },
        { type: "call", call: { ...call, id: "call_3", name: "run", input: { command: "ls" } } },
      ],
    },
    {
      role: "tool",
      callId: "call_1",
      name: "apply_patch",
      content: [{ type: "text", text: "Done." }],
      isError: false,
    },
    {
      role: "tool",
      callId: "call_2",
      name: "agents__run",
      content: [{ type: "text", text: "Started." }],
      isError: false,
    },
  ]);
});

test("a tool or namespace without a name is refused, and so is an unknown item", () => {
  const cases = [
    [{ tools: [{ type: "custom" }] }, "tools[0].name"],
    [{ tools: [{ type: "namespace", tools: [] }] }, "tools[0].name"],
    [{ tools: [{ ...agents, tools: [{ type: "function" }] }] }, "tools[0].tools[0].name"],
    [{ input: [{ type: "custom_tool_call", call_id: "c" }] }, "input[0].name"],
    [{ input: [{ type: "unheard_of", id: "x" }] }, "input[0].type"],
  ] as const;
  for (const [more, field] of cases)
    expect(() => openaiResponses.decodeAsk({ model: "m", input: "Hi", ...more })).toThrow(
      expect.objectContaining({ kind: "bad-request", message: expect.stringContaining(`"${field}"`) }),
    );
});

const search = {
  type: "tool_search",
  execution: "client",
  description: "Finds tools.",
  parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
};
const item = { type: "tool_search_call", call_id: "c1", execution: "client", arguments: { query: "agents" } };

test("the client's own search for tools is offered, and a call of it is an item of its own", async () => {
  const { ask, forms } = asked({ tools: [search, { type: "tool_search" }] });
  expect(ask.tools.map(({ name }) => name)).toEqual(["tool_search"]);
  const events = answer({ id: "c1", name: "tool_search", input: { query: "agents" } });
  const { output } = openaiResponses.encodeWhole(events, forms);
  expect(output).toMatchObject([{ ...item, status: "completed" }]);
  const stream = (await collect(openaiResponses.encodeEvents(of(...events), forms))).join("");
  expect(stream).toContain('"type":"tool_search_call"');
  expect(stream).not.toContain("function_call");
});

test("the tools that the client's search found are offered, once, and the model hears their names", () => {
  const found = { type: "tool_search_output", call_id: "c1", execution: "client", tools: [agents, run] };
  const { ask, forms } = asked({
    tools: [run, search],
    input: [
      { role: "user", content: "Hi" },
      item,
      found,
      { ...item, call_id: "c2" },
      { ...found, call_id: "c2" },
    ],
  });
  expect(ask.tools.map(({ name }) => name)).toEqual(["run", "tool_search", "agents__run"]);
  expect(forms?.get("agents__run")).toMatchObject({ name: "run", namespace: "agents" });
  expect(ask.messages[1]).toMatchObject({
    content: [{ call: { name: "tool_search", input: item.arguments } }],
  });
  expect(ask.messages[2]).toMatchObject({
    role: "tool",
    callId: "c1",
    content: [{ text: "Tools that can be called now: agents__run, run" }],
  });
});

test("an item of an answer may be named by its id instead of sent again; an unknown id is left out", () => {
  const reply = openaiResponses.encodeWhole([
    { type: "answer-start", model: "m" },
    { type: "text-delta", text: "I look." },
    ...answer({ id: "c1", name: "run", input: { command: "ls" } }).slice(1),
  ]);
  const output = Array.isArray(reply["output"]) ? reply["output"] : [];
  const named = output.map((one) => ({ type: "item_reference", id: isObject(one) ? (one["id"] ?? "") : "" }));
  const { ask } = asked({
    input: [
      { role: "user", content: "Hi" },
      ...named,
      { type: "item_reference", id: "msg_gone" },
      { type: "function_call_output", call_id: "c1", output: "a.txt" },
    ],
  });
  expect(ask.messages).toMatchObject([
    { role: "user" },
    { role: "assistant", content: [{ text: "I look." }, { call: { id: "c1", input: { command: "ls" } } }] },
    { role: "tool", name: "run" },
  ]);
});
