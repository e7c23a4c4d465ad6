/** The server as its clients see it: names, repairs, failures, windows, and shutdown. */

import { request } from "node:http";
import { expect, test, vi } from "vitest";
import { hermes } from "../dialects/hermes.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import { chooseModel } from "../providers/discover.ts";
import { openModel } from "../providers/open-model.ts";
import type { Model } from "../providers/provider.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { taughtModel } from "../providers/taught-model.ts";
import { serveModel } from "../testing/scripted-server.ts";
import { textOnly } from "../testing/text-only.ts";
import { oneByOne } from "../wires/frames.ts";
import { wires } from "../wires/index.ts";
import { farewellMs, lastBytesMs } from "./server.ts";
import { askServer, testServer, testToken, type TestServer } from "./testing/server.ts";

const hi = { model: "m", messages: [{ role: "user", content: "Hi." }] };
const tools = [
  {
    type: "function",
    function: {
      name: "read_file",
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  },
];
const misnamed = { call: "readFile", with: { path: "a.ts" } };

test("a whole reply reports its repairs in a header", async () => {
  await using server = await testServer(scriptedModel([[misnamed], [{ say: "Hello." }]]));
  const mended = await askServer(server, "/v1/chat/completions", { body: { ...hi, tools } });
  expect(mended.headers.get("x-toolwright-repairs")).toBe('mended=1, codes="tool-renamed"');
  const plain = await askServer(server, "/v1/chat/completions", { body: hi });
  expect(plain.headers.get("x-toolwright-repairs")).toBeNull();
});

/** Also reads the trailers, which `fetch` does not expose. */
function asked(server: TestServer, path: string, body: object) {
  const { promise, resolve, reject } = Promise.withResolvers<{ text: string; trailers: object }>();
  const headers = { authorization: `Bearer ${testToken}`, "content-type": "application/json" };
  const going = request(server.url + path, { method: "POST", headers }, (reply) => {
    let text = "";
    expect(reply.headers["trailer"]).toBe("x-toolwright-repairs");
    reply.on("data", (data) => (text += String(data)));
    reply.on("end", () => resolve({ text, trailers: reply.trailers }));
  });
  going.on("error", reject);
  going.end(JSON.stringify(body));
  return promise;
}

test("a streamed reply reports its repairs in a trailer", async () => {
  await using server = await testServer(scriptedModel([[misnamed], [{ say: "Hello." }]]));
  const streamed = { ...hi, stream: true };
  const { trailers } = await asked(server, "/v1/chat/completions", { ...streamed, tools });
  expect(trailers).toEqual({ "x-toolwright-repairs": 'mended=1, codes="tool-renamed"' });
  expect((await asked(server, "/v1/chat/completions", streamed)).trailers).toEqual({});
});

test("D7: a system prompt as text or blocks, messages and tools reach the model in its own form", async () => {
  const model = scriptedModel(() => [{ say: "Yes." }]);
  await using server = await testServer(model);
  const body = {
    model: "claude",
    max_tokens: 77,
    stop_sequences: ["END"],
    temperature: 0.5,
    tools: [{ name: "read_file", description: "Reads.", input_schema: { type: "object" } }],
    tool_choice: { type: "any" },
    messages: [{ role: "user", content: [{ type: "text", text: "Hi." }] }],
  };
  const blocks = [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }];
  for (const system of ["Be brief.", blocks])
    await askServer(server, "/v1/messages", { body: { ...body, system } });
  const expected = {
    system: "Be brief.",
    messages: [{ role: "user", content: [{ type: "text", text: "Hi." }] }],
    tools: [{ name: "read_file", description: "Reads.", schema: { type: "object" } }],
    toolChoice: "required",
    maxTokens: 77,
    temperature: 0.5,
    stop: ["END"],
  };
  expect(model.prompts[0]).toMatchObject(expected);
  expect(model.prompts[2]).toMatchObject(expected);
});

test("a client that disables parallel calls in its format gets a single call", async () => {
  const model = scriptedModel(() => [misnamed, misnamed]);
  await using server = await testServer(model);
  const plain = tools.map(({ function: { name, parameters } }) => ({ type: "function", name, parameters }));
  const anthropic = tools.map(({ function: { name, parameters } }) => ({ name, input_schema: parameters }));
  const once = { type: "auto", disable_parallel_tool_use: true };
  const asks: [string, object][] = [
    ["/v1/chat/completions", { ...hi, tools, parallel_tool_calls: false }],
    ["/v1/responses", { model: "m", input: "Hi.", tools: plain, parallel_tool_calls: false }],
    ["/v1/messages", { ...hi, max_tokens: 9, tools: anthropic, tool_choice: once }],
  ];
  for (const [path, body] of asks) {
    const reply = await (await askServer(server, path, { body })).text();
    expect([path, reply.match(/a\.ts/g)?.length]).toEqual([path, 1]);
  }
});

test("D5: Anthropic's events are in order, with rising indexes and the call in one piece", async () => {
  await using server = await testServer(scriptedModel([[{ say: "I look." }, misnamed]], { pieces: 4 }));
  const body = {
    ...hi,
    max_tokens: 9,
    stream: true,
    tools: [{ name: "read_file", input_schema: tools[0]?.function.parameters }],
  };
  const text = await (await askServer(server, "/v1/messages", { body })).text();
  const events = text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line): { type: string; index?: number; delta?: object } => JSON.parse(line.slice(6)));
  expect(events.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`))).toEqual([
    "message_start",
    "content_block_start 0",
    "content_block_delta 0",
    "content_block_delta 0",
    "content_block_stop 0",
    "content_block_start 1",
    "content_block_delta 1",
    "content_block_stop 1",
    "message_delta",
    "message_stop",
  ]);
  expect(events[5]).toMatchObject({ content_block: { type: "tool_use", name: "read_file", input: {} } });
  expect(events[6]?.delta).toEqual({ type: "input_json_delta", partial_json: '{"path":"a.ts"}' });
  expect(events[8]?.delta).toMatchObject({ stop_reason: "tool_use" });
});

test("a mapped model is opened once for concurrent requests, and a failed opening is retried", async () => {
  const opened: string[] = [];
  let fails = true;
  await using server = await testServer(scriptedModel([]), {
    names: { "claude-*": { model: "a/one" }, small: { model: "b/two" } },
    fallback: undefined,
    async open(name) {
      opened.push(name);
      if (name === "b/two" && fails) return { ok: false, problem: "Start b." };
      return { ok: true, value: scriptedModel(() => [{ say: `I am ${name}.` }], { name }) };
    },
  });
  const ask = async (model: string): Promise<[number, string]> => {
    const reply = await askServer(server, "/api/chat", { body: { ...hi, model, stream: false } });
    return [reply.status, await reply.text()];
  };
  const replies = await Promise.all(["claude-1", "claude-2", "claude-3"].map(ask));
  for (const reply of replies) expect(reply).toEqual([200, expect.stringContaining("I am a/one.")]);
  expect(replies[1]?.[1]).toContain('"model":"claude-2"');
  expect(opened).toEqual(["a/one"]);
  expect(await ask("small")).toEqual([502, expect.stringContaining("Start b.")]);
  fails = false;
  expect(await ask("small")).toEqual([200, expect.stringContaining("I am b/two.")]);
  expect(await ask("gpt")).toEqual([404, expect.stringContaining("small, a/one, b/two")]);
  expect(server.models).toEqual(["small", "a/one", "b/two"]);
});

test("D6: usage and context windows are scaled to what the client assumes", async () => {
  const usage = { inputTokens: 4096, outputTokens: 100 };
  const model = scriptedModel(() => [{ say: "Hi." }, { usage }], { name: "a/b", contextTokens: 8192 });
  await using server = await testServer(model, { names: { big: { model: "a/b", assumedContext: 200_000 } } });
  const body = { ...hi, max_tokens: 9 };
  const used = async (name: string): Promise<unknown> =>
    (await askServer(server, "/v1/messages", { body: { ...body, model: name } })).json();
  expect(await used("big")).toMatchObject({ usage: { input_tokens: 100_000, output_tokens: 2441 } });
  expect(await used("other")).toMatchObject({ usage: { input_tokens: 4096, output_tokens: 100 } });
  const listed: unknown = await (await askServer(server, "/v1/models")).json();
  expect(listed).toMatchObject({ data: [{ id: "big", context_length: 200_000 }, { context_length: 8192 }] });
  const counted = await askServer(server, "/v1/messages/count_tokens", { body: { ...body, model: "big" } });
  expect(await counted.json()).toEqual({ input_tokens: Math.round(200_000 / 8192) });
});

/** A request for a streamed answer in each format. */
const streamedAsks = Object.values(wires).map((wire) => {
  const prompt = { system: "", messages: [], tools: [], model: "m" };
  const say = { role: "user" as const, content: [{ type: "text" as const, text: "Hi." }] };
  const path = wire.path("m", { streamed: true });
  const known = [path, `/v1${path}`, `/v1beta${path}`].find((one) => wire.match(one.split("?")[0] ?? ""));
  return {
    wire,
    path: known ?? "",
    body: wire.encodeAsk({ ...prompt, messages: [say] }, { streamed: true }),
  };
});

test.each(streamedAsks)(
  "a failure before or in the middle of an answer is sent in the format of $wire.name",
  async ({ wire, path, body }) => {
    const error = new ModelError("overloaded", "The provider is overloaded. Try again.", {
      retryAfter: 3000,
    });
    await using server = await testServer(
      scriptedModel([[{ fail: error }], [{ say: "One." }, { fail: error }]]),
    );
    const before = await askServer(server, path, { body });
    const told = wire.encodeError(error);
    expect([before.status, before.headers.get("retry-after")]).toEqual([told.status, "3"]);
    expect(await before.json()).toEqual(told.body);

    const middle = await askServer(server, path, { body });
    expect(middle.status).toBe(200);
    const heard: ModelEvent[] = [];
    const reading = async (): Promise<void> => {
      if (middle.body) for await (const event of oneByOne(wire.decodeBatches(middle.body))) heard.push(event);
    };
    await expect(reading()).rejects.toMatchObject({ message: expect.stringContaining("overloaded") });
    expect(heard.some((event) => event.type === "text-delta" && event.text === "One.")).toBe(true);
    expect(server.lines).toMatchObject([{ error: "overloaded" }, { status: 200, error: "overloaded" }]);
  },
);

test("a request without messages, for several answers or forcing an unknown tool is refused with its field", async () => {
  const model = scriptedModel([]);
  await using server = await testServer(model);
  const one = [{ text: "Hi." }];
  const wrong: [string, object, string][] = [
    ["/v1/chat/completions", { ...hi, messages: [] }, "messages"],
    ["/v1/responses", { model: "m", input: [] }, "input"],
    ["/v1/messages", { model: "m", max_tokens: 9 }, "messages"],
    ["/v1/messages/count_tokens", { model: "m" }, "messages"],
    ["/v2/chat", { model: "m", messages: [] }, "messages"],
    ["/v1beta/models/m:generateContent", { contents: [] }, "contents"],
    ["/v1beta/models/m:countTokens", { contents: [] }, "contents"],
    ["/v1/chat/completions", { ...hi, n: 2 }, '\\"n\\"'],
    [
      "/v1beta/models/m:generateContent",
      { contents: [{ role: "user", parts: one }], generationConfig: { candidateCount: 2 } },
      "candidateCount",
    ],
    [
      "/v1/chat/completions",
      { ...hi, tools, tool_choice: { type: "function", function: { name: "fly" } } },
      "tool_choice",
    ],
  ];
  for (const [path, body, field] of wrong) {
    const reply = await askServer(server, path, { body });
    expect([path, field, reply.status, await reply.text()]).toEqual([
      path,
      field,
      400,
      expect.stringContaining(field),
    ]);
  }
  expect(model.prompts).toEqual([]);
});

test("an empty request from an Ollama client loads the model", async () => {
  const opened: string[] = [];
  await using server = await testServer(scriptedModel([]), {
    async open(name) {
      opened.push(name);
      return { ok: true, value: scriptedModel([], { name }) };
    },
  });
  const reply = await askServer(server, "/api/chat", { body: { model: "m", messages: [] } });
  expect(await reply.json()).toMatchObject({ model: "m", done: true, done_reason: "load" });
  expect(opened).toHaveLength(1);
});

test("an answer without an end is a failure, streamed or whole", async () => {
  const model: Model = {
    name: "a/b",
    async *ask() {
      yield { type: "answer-start", model: "b" };
      yield { type: "text-delta", text: "One." };
    },
  };
  await using server = await testServer(model);
  const whole = await askServer(server, "/v1/chat/completions", { body: hi });
  expect([whole.status, await whole.text()]).toEqual([502, expect.stringContaining("before the answer")]);
  const streamed = await askServer(server, "/v1/chat/completions", { body: { ...hi, stream: true } });
  expect(await streamed.text()).toMatch(/"error":/);
});

test("an unexpected error is sent without its message and logged with it", async () => {
  const model: Model = {
    name: "a/b",
    // eslint-disable-next-line require-yield
    async *ask() {
      throw new TypeError("secret in a stack");
    },
  };
  await using server = await testServer(model);
  const reply = await askServer(server, "/v1/chat/completions", { body: hi });
  expect(reply.status).toBe(500);
  expect(await reply.text()).not.toContain("secret");
  expect(server.lines).toMatchObject([{ status: 500, error: "unexpected: TypeError: secret in a stack" }]);
});

test("neither the server's token nor the provider's key nor other headers cross between client and provider", async () => {
  const inner = scriptedModel(() => [{ say: "Hi." }], { name: "tiny" });
  const upstream = await serveModel(textOnly(inner, { dialect: hermes }));
  const env = { OLLAMA_HOST: upstream.url, OLLAMA_API_KEY: "key-of-the-provider" };
  const chosen = await chooseModel({ named: "ollama/tiny", env });
  if (!chosen.ok) throw new Error(chosen.message);
  await using server = await testServer(await openModel(chosen.choice));
  const headers = { "x-private": "mine", "anthropic-version": "2023-06-01", cookie: "a=b" };
  const reply = await askServer(server, "/v1/messages", { body: { ...hi, max_tokens: 9 }, headers });
  expect(JSON.stringify([...reply.headers])).not.toMatch(/key-of-the-provider|scripted/);
  const sent = JSON.stringify(upstream.requests);
  expect(sent).not.toMatch(new RegExp(`${testToken}|x-private|cookie`));
  expect(JSON.stringify(server.lines)).not.toMatch(/key-of-the-provider|Hi\./);
  await upstream.close();
});

test("a model without tools calls them through any format", async () => {
  const inner = scriptedModel(() => [{ say: "I look." }, misnamed], { name: "tiny", pieces: 3 });
  const model = taughtModel(textOnly(inner, { dialect: hermes }), hermes);
  await using server = await testServer(model);
  for (const { wire, path } of streamedAsks) {
    const { name, parameters: schema = {} } = tools[0]?.function ?? { name: "" };
    const ask = {
      model: "m",
      system: "",
      messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "Read it." }] }],
      tools: [{ name, description: "", schema }],
    };
    const reply = await askServer(server, path, { body: wire.encodeAsk(ask, { streamed: true }) });
    const events: ModelEvent[] = [];
    if (reply.body) for await (const event of oneByOne(wire.decodeBatches(reply.body))) events.push(event);
    const calls = events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));
    expect(calls).toMatchObject([{ name: "read_file", input: { path: "a.ts" } }]);
  }
});

test("D6: a client that disconnects while waiting for a whole answer stops the model", async () => {
  const stopped = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const model: Model = {
    name: "a/b",
    async *ask(_, signal) {
      yield { type: "answer-start", model: "b" };
      asked.resolve();
      await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }).finally(stopped.resolve);
    },
  };
  await using server = await testServer(model);
  const leaving = new AbortController();
  const reply = askServer(server, "/v1/chat/completions", { body: hi, signal: leaving.signal });
  await asked.promise;
  leaving.abort();
  await expect(reply).rejects.toThrow();
  await stopped.promise;
  while (server.lines.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(server.lines).toMatchObject([{ status: 499, broken: true }]);
});

test("counting tokens opens a model only if its context window is needed", async () => {
  const opened: string[] = [];
  await using server = await testServer(scriptedModel([]), {
    fallback: "a/b",
    names: { big: { model: "a/b", assumedContext: 100_000 } },
    async open(name) {
      opened.push(name);
      return { ok: true, value: scriptedModel([], { name, contextTokens: 50_000 }) };
    },
  });
  const count = async (model: string): Promise<unknown> =>
    (await askServer(server, "/v1/messages/count_tokens", { body: { ...hi, model } })).json();
  expect(await count("other")).toEqual({ input_tokens: 1 });
  expect(opened).toEqual([]);
  expect(await count("big")).toEqual({ input_tokens: 2 });
  expect(opened).toEqual(["a/b"]);
});

test("closing lets a running answer finish and accepts no new requests", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel(() => [{ say: "One. " }, { wait: gate.promise }, { say: "Two." }]);
  const server = await testServer(model);
  const reply = await askServer(server, "/api/chat", { body: hi });
  const closing = server.close();
  await expect(askServer(server, "/api/version")).rejects.toThrow();
  gate.resolve();
  const text = await reply.text();
  expect(text).toContain("Two.");
  expect(text.endsWith("\n")).toBe(true);
  await closing;
});

test("an endless answer is cut off with an error in its own format when the server closes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const server = await testServer(
      scriptedModel(() => [{ say: "One." }, { wait: new Promise(() => undefined) }]),
    );
    const reply = await askServer(server, "/api/chat", { body: hi });
    const closing = server.close();
    await vi.advanceTimersByTimeAsync(farewellMs);
    expect(await reply.text()).toMatch(/"error":"[^"]+"\}\n$/);
    await vi.advanceTimersByTimeAsync(lastBytesMs);
    await closing;
  } finally {
    vi.useRealTimers();
  }
});

test("a port in use is reported with a hint to choose another", async () => {
  await using server = await testServer(scriptedModel([]));
  await expect(testServer(scriptedModel([]), { port: Number(new URL(server.url).port) })).rejects.toThrow(
    /is in use by another program: choose another one with --port/,
  );
});
