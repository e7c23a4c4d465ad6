import { afterEach, expect, test } from "vitest";
import { collect } from "../base/async.ts";
import type { Ask } from "../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import type { Model } from "../providers/provider.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { oneByOne } from "../wires/frames.ts";
import { gemini } from "../wires/gemini/gemini.ts";
import { wires } from "../wires/index.ts";
import { mergeDeltas } from "../wires/testing/arbitraries.ts";
import type { Wire } from "../wires/wire.ts";
import { serveModel, type ServedModel, type ServeOptions } from "./scripted-server.ts";

const open: ServedModel[] = [];

afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

async function serve(model: Model, options: ServeOptions = {}): Promise<ServedModel> {
  const served = await serveModel(model, options);
  open.push(served);
  return served;
}

const ask: Ask = {
  model: "m",
  system: "Be brief.",
  messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
  tools: [{ name: "f", description: "Does f", schema: { type: "object", properties: {} } }],
};

/** The path under the base URL that the wire's clients use. */
const pathOf = (wire: Wire, streamed: boolean): string =>
  ["", "/v1", "/v1beta"]
    .map((base) => base + wire.path("m", { streamed }))
    .find((path) => wire.match(path)) ?? "";

const post = (served: ServedModel, wire: Wire, streamed: boolean, signal?: AbortSignal): Promise<Response> =>
  fetch(served.url + pathOf(wire, streamed), {
    method: "POST",
    headers: { "content-type": "application/json", ...wire.headers("key") },
    body: JSON.stringify(wire.encodeAsk(ask, { streamed })),
    ...(signal ? { signal } : {}),
  });

const events = (wire: Wire, response: Response): Promise<ModelEvent[]> =>
  response.body ? collect(oneByOne(wire.decodeBatches(response.body))) : Promise.resolve([]);

/** The events that every format can carry. */
const said = (all: ModelEvent[]): ModelEvent[] =>
  mergeDeltas(all).filter((event) => ["text-delta", "call-end", "usage", "answer-end"].includes(event.type));

const script = [
  { say: "Ich höre — 日本語." },
  { call: "f", with: { a: 1 } },
  { usage: { inputTokens: 9, outputTokens: 4 } },
];

test.each(Object.values(wires))(
  "$name is served streamed and whole over HTTP, even in chunks of one byte",
  async (wire) => {
    const model = scriptedModel([script, script, script], { pieces: 3 });
    const wanted = [
      { type: "text-delta", text: "Ich höre — 日本語." },
      {
        type: "call-end",
        call: expect.objectContaining({
          id: expect.any(String),
          name: "f",
          input: { a: 1 },
          source: "native",
        }),
      },
      { type: "usage", usage: { inputTokens: 9, outputTokens: 4 } },
      expect.objectContaining({ type: "answer-end", reason: "tool-calls" }),
    ];
    for (const options of [{}, { chunk: 1 }]) {
      const served = await serve(model, options);
      const response = await post(served, wire, true);
      expect(response.headers.get("content-type")).toBe(wire.streamType);
      expect(said(await events(wire, response))).toMatchObject(wanted);
    }
    const served = await serve(model);
    const whole = await post(served, wire, false);
    expect(said(wire.decodeWhole(await whole.json()))).toMatchObject(wanted);
    expect(model.prompts.map(({ system, messages, tools }) => ({ system, messages, tools }))).toEqual(
      Array.from({ length: 3 }, () => ({ system: ask.system, messages: ask.messages, tools: ask.tools })),
    );
  },
);

test.each(Object.values(wires))(
  "$name reports a failure before the answer as an HTTP error of its kind",
  async (wire) => {
    const served = await serve(
      scriptedModel([[{ fail: new ModelError("rate-limit", "Slow down.", { retryAfter: 3000 }) }]]),
    );
    const response = await post(served, wire, true);
    const error = wire.decodeError(
      response.status,
      Object.fromEntries(response.headers),
      await response.text(),
    );
    expect({ kind: error.kind, status: error.status, retryAfter: error.retryAfter }).toEqual({
      kind: "rate-limit",
      status: 429,
      retryAfter: 3000,
    });
  },
);

test.each(Object.values(wires))("$name reports a failure in the middle of a stream", async (wire) => {
  const served = await serve(
    scriptedModel([[{ say: "Half" }, { fail: new ModelError("server", "Broken.") }]]),
  );
  const response = await post(served, wire, true);
  await expect(events(wire, response)).rejects.toThrow();
});

test.each(Object.values(wires))("$name rejects a malformed request body", async (wire) => {
  const served = await serve(scriptedModel([]));
  const response = await fetch(served.url + pathOf(wire, true), { method: "POST", body: "{not json" });
  expect(response.status).toBe(400);
});

test("requests are recorded with path, headers and body", async () => {
  const served = await serve(scriptedModel([[]]));
  await (await post(served, gemini, true)).text();
  expect(served.requests).toEqual([
    {
      path: "/models/m:streamGenerateContent?alt=sse",
      headers: expect.objectContaining({ "x-goog-api-key": "key" }),
      body: gemini.encodeAsk(ask, { streamed: true }),
    },
  ]);
});

test("model lists and probes are answered, and unknown paths get 404", async () => {
  const served = await serve(scriptedModel([], { name: "a/b", contextTokens: 4096 }), {
    capabilities: ["completion"],
  });
  const get = async (path: string, method = "GET") => {
    const response = await fetch(served.url + path, { method });
    return { status: response.status, body: await response.json() };
  };
  expect(await get("/v1/models")).toMatchObject({ status: 200, body: { data: [{ id: "a/b" }] } });
  expect(await get("/api/tags")).toMatchObject({ status: 200, body: { models: [{ name: "a/b" }] } });
  expect(await get("/api/version")).toMatchObject({ status: 200, body: { version: expect.any(String) } });
  expect(await get("/api/show", "POST")).toMatchObject({
    status: 200,
    body: {
      capabilities: ["completion"],
      model_info: { "general.architecture": "scripted", "scripted.context_length": 4096 },
    },
  });
  expect(await get("/props")).toMatchObject({ status: 404 });
  expect(await get("/api/show")).toMatchObject({ status: 404 });
});

test("each model request consumes one fault", async () => {
  const stall = Promise.withResolvers<void>();
  const model = scriptedModel([[{ say: "one" }], [{ say: "two" }], [{ say: "three" }]]);
  const served = await serve(model, {
    faults: [
      { status: 502, headers: { "content-type": "text/html" }, body: "<html>Bad Gateway</html>" },
      "hang-up",
      { cutAfterBytes: 30 },
      "none",
      { stall: stall.promise, afterBytes: 10 },
    ],
  });
  const bad = await post(served, gemini, true);
  expect({ status: bad.status, text: await bad.text() }).toEqual({
    status: 502,
    text: "<html>Bad Gateway</html>",
  });
  await expect(post(served, gemini, true)).rejects.toThrow();
  const short = await post(served, gemini, true);
  const pieces: Uint8Array[] = [];
  await expect(
    (async () => {
      for await (const piece of short.body ?? []) pieces.push(piece);
    })(),
  ).rejects.toThrow();
  expect(Buffer.concat(pieces).length).toBe(30);
  expect(said(await events(gemini, await post(served, gemini, true)))[0]).toEqual({
    type: "text-delta",
    text: "two",
  });
  const stalled = await post(served, gemini, true);
  const heard = events(gemini, stalled);
  stall.resolve();
  expect(said(await heard)[0]).toEqual({ type: "text-delta", text: "three" });
});

test("a client that disconnects aborts the model", async () => {
  const aborted = Promise.withResolvers<void>();
  const model: Model = {
    name: "a/b",
    async *ask(_, signal) {
      yield { type: "answer-start", model: "a/b" };
      yield { type: "text-delta", text: "x" };
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve());
      });
      aborted.resolve();
    },
  };
  const served = await serve(model);
  const leave = new AbortController();
  await post(served, gemini, true, leave.signal);
  leave.abort();
  await aborted.promise;
});

test("close ends hanging requests and releases the port", async () => {
  const served = await serveModel(scriptedModel([[{ say: "x" }, { wait: new Promise(() => undefined) }]]), {
    faults: ["none", { stall: new Promise(() => undefined) }],
  });
  const streamed = await post(served, gemini, true);
  const stalled = post(served, gemini, true).catch((error: unknown) => error);
  const heard = events(gemini, streamed).catch((error: unknown) => error);
  await served.close();
  expect(await stalled).toBeInstanceOf(Error);
  expect(await heard).toBeInstanceOf(Error);
  await expect(fetch(served.url)).rejects.toThrow();
});

test("a slow, chunked reply has the same content", async () => {
  const served = await serve(scriptedModel([[{ say: "one" }]]), { chunk: 16, delayMs: 1 });
  const heard = await events(gemini, await post(served, gemini, true));
  expect(said(heard)[0]).toEqual({ type: "text-delta", text: "one" });
});
