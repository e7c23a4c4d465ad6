import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { collect } from "../base/async.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import { serveModel, type ServerFault } from "../testing/scripted-server.ts";
import { wires } from "../wires/index.ts";
import type { Wire } from "../wires/wire.ts";
import { httpModel, type HttpModelOptions } from "./http-model.ts";
import { laterModel } from "./later-model.ts";
import type { Prompt } from "./provider.ts";
import { rescuedModel } from "./rescued-model.ts";
import { scriptedModel } from "./scripted-model.ts";
import type { Server } from "./server.ts";
import { sightless } from "./sightless-model.ts";
import { switching } from "./switching-model.ts";
import { withoutEcho } from "./without-echo.ts";

const prompt: Prompt = {
  system: "Be brief.",
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  tools: [{ name: "ping", description: "Pings.", schema: { type: "object", properties: {} } }],
};

test.each(Object.values(wires).map((wire) => [wire.name, wire] as const))(
  "a model receives a prompt and streams its answer over %s",
  async (_, wire) => {
    const model = scriptedModel([[{ say: "Pinging." }, { call: "ping", with: { n: 1 } }]], { pieces: 3 });
    const served = await serveModel(model, { chunk: 7 });
    onTestFinished(() => served.close());
    const events = await collect(client(served.url + prefix(wire), { wire: wire.name }).ask(prompt, signal));
    const text = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
    const calls = events.flatMap((event) =>
      event.type === "call-end" ? [[event.call.name, event.call.input]] : [],
    );
    expect({ text, calls, last: events.at(-1) }).toMatchObject({
      text: "Pinging.",
      calls: [["ping", { n: 1 }]],
      last: { type: "answer-end", reason: "tool-calls" },
    });
    expect(model.prompts[0]?.messages).toEqual(prompt.messages);
  },
);

test("a model of every kind says when its server has the request", async () => {
  const gate = Promise.withResolvers<void>();
  const answer = scriptedModel([[{ wait: gate.promise }, { say: "hi" }]]);
  const served = await serveModel(answer, {});
  onTestFinished(() => served.close());
  const bare = client(`${served.url}/v1`, { wire: "openai-chat" });
  const later = laterModel(async () => ({ ok: true, value: sightless(withoutEcho(rescuedModel(bare))) }));
  const model = switching(later, { ways: [{ name: "native", model: later }] });
  await collect(model.ask(prompt, signal, gate.resolve));
  expect(answer.prompts).toHaveLength(1);
});

test("transient failures are retried after growing waits, and each wait is reported as a retrying event", async () => {
  const busy: ServerFault = { status: 529, body: "{}" };
  const limited: ServerFault = {
    status: 429,
    headers: { "retry-after": "7" },
    body: '{"error":{"message":"slow down"}}',
  };
  const { asked, events, waits } = await askThrough(["hang-up", busy, limited]);
  expect(waits).toEqual([375, 750, 7125]);
  expect(asked).toBe(4);
  expect(events.filter(({ type }) => type === "retrying")).toMatchObject([
    { attempt: 1, waitMs: 375, because: expect.stringContaining("broke off") },
    { attempt: 2, waitMs: 750 },
    { attempt: 3, waitMs: 7125, because: "The provider's rate limit is reached (429): slow down." },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "answer-end" });
  expect(events.filter(({ type }) => type === "answer-start")).toHaveLength(1);
});

test("an overloaded server is asked again for ten minutes, and the failure says how often", async () => {
  const { asked, error, waits } = await askThrough(Array.from({ length: 60 }, () => down));
  const all = waits.reduce((sum, wait) => sum + wait, 0);
  expect(all).toBeGreaterThan(570_000);
  expect(all).toBeLessThanOrEqual(600_000);
  expect(waits.slice(0, 8)).toEqual([375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500]);
  expect(error).toMatchObject({
    kind: "overloaded",
    midStream: false,
    advice: expect.stringContaining(`It was asked ${asked} times in 9 min`),
  });
});

test("the time for retries can be set, also to none", async () => {
  const faults = Array.from({ length: 60 }, () => down);
  const never = await askThrough(faults, { retry: { forMs: 0 } });
  expect(never).toMatchObject({ asked: 1, waits: [] });
  expect(never.error?.advice).toBe("Try again in a moment.");
  const short = await askThrough(faults, { retry: { forMs: 3_000 } });
  expect(short.waits).toEqual([375, 750, 1500]);
});

test("a server that had answered is waited for while it is gone, and asked again when it is back", async () => {
  const answer: RequestListener = (_, outgoing) => outgoing.end(chunk({ content: "Hi" }, "stop"));
  const first = createServer(answer).listen(0, "127.0.0.1");
  await once(first, "listening");
  const { port } = first.address() as AddressInfo;
  const second = createServer(answer);
  onTestFinished(() => void second.close());
  const sleep = async () => second.listening || once(second.listen(port, "127.0.0.1"), "listening");
  const model = client(`http://127.0.0.1:${port}`, { retry: { sleep } });
  await collect(model.ask(prompt, signal));
  first.closeAllConnections();
  await new Promise((closed) => first.close(closed));
  const events = await collect(model.ask(prompt, signal));
  expect(events[0]).toMatchObject({ type: "retrying", because: expect.stringContaining("refused") });
  expect(events.at(-1)).toMatchObject({ type: "answer-end", reason: "stop" });
});

const down: ServerFault = { status: 503, body: "" };

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ model: "m", choices: [{ delta, finish_reason: finish }] })}\n\n`;

test("a stream that breaks before its first event is retried", async () => {
  const { asked, events } = await askThrough([{ cutAfterBytes: 5 }]);
  expect({ asked, last: events.at(-1)?.type }).toEqual({ asked: 2, last: "answer-end" });
});

test("a stream that breaks in its form is as one that breaks off, and its error says what to do next", async () => {
  const garbled = (body: string): ServerFault => ({
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body,
  });
  const broken = "data: {broken\n\n";
  const ends = chunk({}, "stop");
  const hi = chunk({ content: "Hi" });
  for (const body of [broken + ends, `data: [1]\n\n${ends}`, `${broken}data: [DONE]\n\n`]) {
    const { asked, events } = await askThrough([garbled(body)]);
    expect({ asked, last: events.at(-1)?.type }).toEqual({ asked: 2, last: "answer-end" });
  }
  for (const body of [hi + broken + ends, `${hi + broken}data: [DONE]\n\n`]) {
    const { asked, error, events } = await askThrough([garbled(body)]);
    expect(events).toContainEqual({ type: "text-delta", text: "Hi" });
    expect(asked).toBe(1);
    expect(error).toMatchObject({
      kind: "server",
      fault: "stream_error",
      midStream: true,
      advice: "Try again.",
    });
  }
  const { error } = await askThrough(Array(9).fill(garbled(broken + ends)), { retry: { forMs: 3_000 } });
  expect(error?.inFull).toMatch(
    /not a JSON object: “\{broken”\. It was asked \d times .* allow retries more time \(--retry-for\), or choose/u,
  );
});

test("a stream that breaks after text has arrived is not retried here, and its error says midStream", async () => {
  const { asked, error, events } = await askThrough([{ cutAfterBytes: 900 }], { say: "word ".repeat(200) });
  expect(events.some(({ type }) => type === "text-delta")).toBe(true);
  expect({ asked, kind: error?.kind, midStream: error?.midStream }).toEqual({
    asked: 1,
    kind: "network",
    midStream: true,
  });
});

test("a Retry-After of an hour is not waited out, and the error's advice names it", async () => {
  const { asked, error } = await askThrough([
    { status: 429, headers: { "retry-after": "3600" }, body: "{}" },
  ]);
  expect({ asked, retryAfter: error?.retryAfter }).toEqual({ asked: 1, retryAfter: 3_600_000 });
  expect(error?.advice).toMatch(/asks to wait 3600 s; .*choose another model/);
});

test.each([
  ["openai-chat", "Unrecognized request argument supplied: reasoning_effort"],
  ["openai-responses", "Unsupported parameter: 'reasoning.effort' is not supported with this model."],
  ["anthropic", "adaptive thinking is not supported on this model"],
] as const)(
  "a refusal of the effort over %s says to choose another, and nothing else does",
  async (wire, message) => {
    const refused: ServerFault = { status: 400, body: JSON.stringify({ error: { message } }) };
    const served = await serveModel(scriptedModel([]), { faults: [refused, refused] });
    onTestFinished(() => served.close());
    const model = client(served.url + prefix(wires[wire]), { wire });
    const adviceFor = (reasoning: Prompt["reasoning"]) =>
      collect(model.ask({ ...prompt, ...(reasoning ? { reasoning } : {}) }, signal)).then(
        () => undefined,
        ({ advice }: ModelError) => advice,
      );
    const advice = "It was asked for reasoning high: choose another, or default for its own.";
    expect(await adviceFor("high")).toBe(advice);
    expect(await adviceFor(undefined)).not.toBe(advice);
  },
);

test.each([400, 401, 403, 404])("status %i is not retried", async (status) => {
  const { asked, error } = await askThrough([{ status, body: '{"error":{"message":"no"}}' }]);
  expect({ asked, status: error?.status }).toEqual({ asked: 1, status });
});

test("a refused connection fails without a retry, and its error says what to do", async () => {
  const served = await serveModel(scriptedModel([]));
  await served.close();
  const waits: number[] = [];
  const model = client(`${served.url}/v1`, { retry: { sleep: async (ms) => waits.push(ms) } });
  const error = await failure(model.ask(prompt, signal));
  expect(waits).toEqual([]);
  expect(error).toMatchObject({
    kind: "network",
    inFull: `Nothing answers at ${served.url} (connection refused). Start it with \`serve\`, or choose another model.`,
  });
});

test("a key never appears in an error or event, even when the server repeats it", async () => {
  const key = "sk-canary-0123456789";
  const url = await serve((_, outgoing) => {
    outgoing.writeHead(outgoing.req.headers["x-try"] === undefined ? 429 : 401, {
      "content-type": "application/json",
    });
    outgoing.end(
      JSON.stringify({ error: { message: `The key ${key} is wrong.`, type: "invalid_request_error" } }),
    );
  });
  const events: ModelEvent[] = [];
  const model = client(url, { key, retry: { sleep: async () => undefined } });
  const error = await failure(model.ask(prompt, signal), events);
  const all = JSON.stringify([events, error.message, error.stack, error.cause]);
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["retrying"]));
  expect(all).not.toContain("canary");
  expect(error.message).toContain("The key [key] is wrong.");
});

test("the error for a refused key names its variable, and the one for a missing key names the variable to set", async () => {
  const refuse = await serve((_, outgoing) => outgoing.writeHead(401).end("{}"));
  const said = { message: "The provider refused the key (401)." };
  const wrong = await failure(client(refuse, { key: "k" }).ask(prompt, signal));
  expect(wrong).toMatchObject({ ...said, advice: "Is TEST_KEY right?" });
  const missing = await failure(client(refuse, {}).ask(prompt, signal));
  expect(missing).toMatchObject({ ...said, advice: "No key was sent: set TEST_KEY." });
});

test("a web page, a redirect and an empty stream each get their own error", async () => {
  const url = await serve((incoming, outgoing) => {
    if (incoming.url?.startsWith("/page"))
      outgoing.setHeader("content-type", "text/html").end("<title>Router login</title>");
    else if (incoming.url?.startsWith("/moved"))
      outgoing.writeHead(308, { location: "https://example.org/v1" }).end();
    else outgoing.setHeader("content-type", "text/event-stream").end();
  });
  const none = { retry: { forMs: 0 } };
  expect(await failure(client(`${url}/page`, none).ask(prompt, signal))).toMatchObject({
    kind: "malformed",
    message: expect.stringContaining("“Router login”"),
  });
  expect((await failure(client(`${url}/moved`, none).ask(prompt, signal))).message).toContain(
    "https://example.org/v1",
  );
  expect((await failure(client(`${url}/empty`, none).ask(prompt, signal))).kind).toBe("network");
});

test("a reply that is not streamed is parsed, and so is an error sent with status 200", async () => {
  const url = await serve((incoming, outgoing) => {
    outgoing.setHeader("content-type", "application/json; charset=utf-8");
    if (incoming.url?.startsWith("/bad"))
      outgoing.end('{"error": {"message": "model is loading", "code": 503}}');
    else
      outgoing.end(
        '{"model": "m", "choices": [{"message": {"role": "assistant", "content": "Hello"}, "finish_reason": "stop"}]}',
      );
  });
  const events = await collect(client(url, {}).ask(prompt, signal));
  expect(events.filter(({ type }) => type === "text-delta")).toEqual([{ type: "text-delta", text: "Hello" }]);
  const error = await failure(client(`${url}/bad`, { retry: { forMs: 0 } }).ask(prompt, signal));
  expect(error.message).toContain("model is loading");
});

test("a ModelError carries its fault code wherever the fault is detected", async () => {
  const streams: Record<string, [string, string]> = {
    "/error": [
      `${chunk({ content: "Hi" })}data: {"error": {"message": "too much", "code": 429}}\n\n`,
      "stream_error",
    ],
    "/whole": ['{"error": {"message": "too much", "code": "rate_limit_exceeded"}}', "stream_error"],
    "/half": [chunk({ content: "Hi" }), "incomplete_stream"],
    "/reset": [chunk({ content: "Hi" }), "incomplete_stream"],
    "/empty": ["", "incomplete_stream"],
  };
  const url = await serve((incoming, outgoing) => {
    const path = `/${incoming.url?.split("/")[1]}`;
    outgoing.setHeader("content-type", path === "/whole" ? "application/json" : "text/event-stream");
    outgoing.write(streams[path]?.[0] ?? "", () => {
      if (path === "/reset") incoming.socket.destroy();
      else outgoing.end();
    });
  });
  for (const [path, [, fault]] of Object.entries(streams)) {
    const error = await failure(client(url + path, { retry: { forMs: 0 } }).ask(prompt, signal));
    expect([path, error.fault]).toEqual([path, fault]);
  }
});

test("an answer that ends with tool_calls but contains no call is retried", async () => {
  let asked = 0;
  const url = await serve((_, outgoing) => {
    asked += 1;
    outgoing.setHeader("content-type", "text/event-stream");
    outgoing.end(asked === 1 ? chunk({}, "tool_calls") : chunk({ content: "Hi" }, "stop"));
  });
  const events = await collect(
    client(url, { retry: { sleep: () => Promise.resolve() } }).ask(prompt, signal),
  );
  expect(asked).toBe(2);
  expect(events.at(-1)).toEqual({ type: "answer-end", reason: "stop" });
});

test("a slow prefill does not time out, even if the server sends a chunk before it", async () => {
  const gate = Promise.withResolvers<void>();
  const url = await serve(async (_, outgoing) => {
    outgoing.setHeader("content-type", "text/event-stream");
    outgoing.write('data: {"model": "m", "choices": [{"delta": {"role": "assistant"}}]}\n\n');
    await gate.promise;
    outgoing.end(
      'data: {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n',
    );
  });
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timers.mockRestore());
  const model = client(url, { timeouts: { firstTokenMs: 59_999, idleMs: 1 } });
  const answering = collect(model.ask(prompt, signal));
  // The waits for the headers, for the first chunk, and for what follows it: all have the longer limit.
  const waits = (): number => timers.mock.calls.filter(([, ms]) => ms === 59_999).length;
  await expect.poll(waits).toBe(3);
  gate.resolve();
  expect((await answering).at(-1)).toMatchObject({ type: "answer-end", reason: "stop" });
});

test("silence before the first token and silence mid-stream are both timeouts", async () => {
  const never = new Promise<void>(() => undefined);
  const words = [{ say: "word ".repeat(200) }];
  const ask = async (fault: ServerFault, timeouts: HttpModelOptions["timeouts"]): Promise<ModelError> => {
    const served = await serveModel(scriptedModel([words], { pieces: 5 }), { faults: [fault] });
    onTestFinished(() => served.close());
    return failure(client(`${served.url}/v1`, { timeouts, retry: { forMs: 0 } }).ask(prompt, signal));
  };
  expect(await ask({ stall: never }, { firstTokenMs: 30 })).toMatchObject({
    kind: "timeout",
    midStream: false,
  });
  expect(await ask({ stall: never, afterBytes: 900 }, { idleMs: 30 })).toMatchObject({
    kind: "timeout",
    midStream: true,
  });
});

test("A29: aborting ends the answer while it streams, with the signal's reason, and while it waits for a retry", async () => {
  const stop = new AbortController();
  const served = await serveModel(scriptedModel([[{ say: "a" }, { wait: new Promise(() => undefined) }]]));
  onTestFinished(() => served.close());
  const reason = new Error("stopped by the user");
  const streaming = (async () => {
    for await (const event of client(`${served.url}/v1`, {}).ask(prompt, stop.signal))
      if (event.type === "text-delta") stop.abort(reason);
  })();
  await expect(streaming).rejects.toBe(reason);

  const waiting = new AbortController();
  const down = await serve((_, outgoing) => outgoing.writeHead(503).end());
  const retrying = (async () => {
    for await (const event of client(down, {}).ask(prompt, waiting.signal))
      if (event.type === "retrying") setImmediate(() => waiting.abort(reason));
  })();
  await expect(retrying).rejects.toSatisfy(() => waiting.signal.aborted);
});

test("the request carries the model, its token limit, its key and the server's adjustments", async () => {
  const served = await serveModel(scriptedModel([[{ say: "a" }], [{ say: "b" }]]));
  onTestFinished(() => served.close());
  const model = client(`${served.url}/v1`, { adjust: addExtra, maxTokens: 500, key: "secret-key" });
  await collect(model.ask(prompt, signal));
  await collect(model.ask({ ...prompt, maxTokens: 7 }, signal));
  expect(model.name).toBe("test/m-1");
  expect(served.requests.map(({ body }) => body)).toMatchObject([
    { model: "m-1", max_tokens: 500, extra: true },
    { model: "m-1", max_tokens: 7 },
  ]);
  expect(served.requests[0]?.headers).toMatchObject({
    authorization: "Bearer secret-key",
    "content-type": "application/json",
  });
});

const addExtra = (body: object) => ({ ...body, extra: true });
const signal = new AbortController().signal;

/** The version prefix of each wire's paths. */
const prefix = (wire: Wire): string =>
  ["anthropic", "ollama", "cohere"].includes(wire.name) ? "" : wire.name === "gemini" ? "/v1beta" : "/v1";

type Client = Partial<Pick<Server, "wire" | "key" | "adjust">> &
  Omit<Partial<HttpModelOptions>, "server" | "model">;

function client(baseUrl: string, { wire = "openai-chat", key, adjust, ...options }: Client) {
  const server: Server = {
    provider: "test",
    wire,
    baseUrl,
    key,
    adjust,
    keyNames: ["TEST_KEY"],
    local: true,
    unreachableAdvice: "Start it with `serve`",
  };
  return httpModel({ server, model: "m-1", ...options });
}

/** Runs a model behind these faults, and records the waits instead of sleeping. */
async function askThrough(
  faults: readonly ServerFault[],
  { say = "Hello", retry = {} }: { say?: string; retry?: HttpModelOptions["retry"] } = {},
) {
  const served = await serveModel(
    scriptedModel(() => [{ say }], { pieces: 5 }),
    { faults },
  );
  onTestFinished(() => served.close());
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<unknown> => waits.push(ms);
  const model = client(`${served.url}/v1`, { retry: { sleep, random: () => 0.5, ...retry } });
  const events: ModelEvent[] = [];
  let error: ModelError | undefined;
  try {
    for await (const event of model.ask(prompt, signal)) events.push(event);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ModelError);
    error = thrown as ModelError;
    expect(error.message).not.toContain("\n");
  }
  return { events, waits, error, asked: served.requests.length };
}

async function failure(answer: AsyncIterable<ModelEvent>, events: ModelEvent[] = []): Promise<ModelError> {
  try {
    for await (const event of answer) events.push(event);
  } catch (error) {
    expect(error).toBeInstanceOf(ModelError);
    return error as ModelError;
  }
  return expect.unreachable("it should have failed");
}

async function serve(handle: (...of: Parameters<RequestListener>) => unknown): Promise<string> {
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each(Object.values(wires).map((wire) => [wire.name, wire] as const))(
  "D3: over %s a call without arguments starts once, ends once and has the input {}",
  async (_, wire) => {
    const model = scriptedModel([[{ say: "Pinging." }, { call: "ping", with: {} }]], { pieces: 3 });
    const served = await serveModel(model, { chunk: 5 });
    onTestFinished(() => served.close());
    const events = await collect(client(served.url + prefix(wire), { wire: wire.name }).ask(prompt, signal));
    const order = events.flatMap(({ type }) => (["call-start", "call-end"].includes(type) ? [type] : []));
    expect(order).toEqual(["call-start", "call-end"]);
    expect(events.find(({ type }) => type === "call-end")).toMatchObject({
      call: { name: "ping", input: {} },
    });
  },
);
