/** Requests to a real model server, as the real OpenTelemetry SDKs receive them. */

import * as api from "@opentelemetry/api";
import fc from "fast-check";
import { expect, test } from "vitest";
import { askServer, testServer } from "../../lm-server/testing/server.ts";
import { ModelError } from "../../protocol/model-events.ts";
import { scriptedModel, type ModelScript } from "../../providers/scripted-model.ts";
import type { TelemetryOptions } from "./open.ts";
import { findSpan, parentOf, sdk } from "./testing/sdk.ts";

const usage = { inputTokens: 100, outputTokens: 21 };
const route = "POST /v1/chat/completions";
const hello = { model: "gpt-x", messages: [{ role: "user", content: "Hello, s3cret" }] };
const traceId = "ab".repeat(16);
const spanId = "cd".repeat(8);

async function served(script: ModelScript, options: TelemetryOptions = {}) {
  const told = await sdk({ providerName: () => "some_provider", ...options });
  const server = await testServer(scriptedModel(script), { hears: told.requests });
  const ask = async (more: Parameters<typeof askServer>[2] = {}): Promise<string> => {
    const response = await askServer(server, "/v1/chat/completions", { body: hello, ...more });
    return response.text();
  };
  return { told, server, ask, [Symbol.asyncDispose]: () => server.close() };
}

/** To be called once: each collection returns all metrics again. */
async function measured({ metrics }: Awaited<ReturnType<typeof sdk>>): Promise<(name: string) => unknown[]> {
  const all = await metrics();
  return (name) =>
    all.flatMap(({ descriptor, dataPoints }) => (descriptor.name === name ? [...dataPoints] : []));
}

test("a request is a server span with the model call as a client span within it", async () => {
  await using place = await served([[{ say: "Hello." }, { usage }]]);
  await place.ask();
  const spans = place.told.spans();
  expect(spans.map(({ name }) => name)).toEqual(["chat model", route]);
  const request = findSpan(spans, route);
  expect(request.kind).toBe(api.SpanKind.SERVER);
  expect(parentOf(request)).toBeUndefined();
  expect(request.attributes).toEqual({
    "http.request.method": "POST",
    "http.route": "/v1/chat/completions",
    "http.response.status_code": 200,
    "url.path": "/v1/chat/completions",
    "url.scheme": "http",
    "gen_ai.request.model": "gpt-x",
    "gen_ai.request.stream": false,
    "toolwright.served_model": "scripted/model",
    "toolwright.calls": undefined,
  });
  const chat = findSpan(spans, "chat model");
  expect([chat.kind, parentOf(chat)]).toEqual([api.SpanKind.CLIENT, request.spanContext().spanId]);
  expect(chat.attributes).toEqual({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "some_provider",
    "gen_ai.request.model": "model",
    "gen_ai.request.stream": false,
    "gen_ai.response.model": "scripted/model",
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.response.time_to_first_chunk": expect.any(Number),
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.output_tokens": 21,
  });
  expect(place.told.open()).toBe(0);
});

test("durations, tokens and time to first token are metrics, with no attribute chosen by a client", async () => {
  await using place = await served(() => [{ say: "Hello." }, { usage }]);
  await place.ask({ body: { ...hello, stream: true } });
  await place.ask({ body: { ...hello, model: "gpt-y" } });
  await askServer(place.server, "/v1/chat/completions");
  const pointsOf = await measured(place.told);
  const of = { "gen_ai.operation.name": "chat", "gen_ai.provider.name": "some_provider" };
  for (const [name, count] of [
    ["gen_ai.server.request.duration", 2],
    ["gen_ai.server.time_to_first_token", 2],
    ["gen_ai.server.time_per_output_token", 2],
    ["gen_ai.client.operation.duration", 2],
    ["gen_ai.client.operation.time_to_first_chunk", 2],
  ] as const)
    expect(pointsOf(name)).toMatchObject([
      { attributes: { ...of, "gen_ai.request.model": "model" }, value: { count } },
    ]);
  expect(pointsOf("gen_ai.client.token.usage")).toMatchObject([
    { attributes: { "gen_ai.token.type": "input" }, value: { sum: 200 } },
    { attributes: { "gen_ai.token.type": "output" }, value: { sum: 42 } },
  ]);
  expect(pointsOf("http.server.request.duration")).toMatchObject([
    { attributes: { "http.response.status_code": 200 }, value: { count: 2 } },
    { attributes: { "http.request.method": "GET", "http.response.status_code": 405 } },
  ]);
});

test("a caller's trace is continued, and its sampling flag is respected", async () => {
  await using place = await served(() => [{ say: "Hello." }]);
  await place.ask({ headers: { traceparent: `00-${traceId}-${spanId}-03`, tracestate: "one=1,two=2" } });
  const request = findSpan(place.told.spans(), route);
  expect([request.spanContext().traceId, parentOf(request)]).toEqual([traceId, spanId]);
  expect(request.spanContext().traceState?.serialize()).toBe("one=1,two=2");
  await place.ask({ headers: { traceparent: `00-${traceId}-${spanId}-00` } });
  expect(place.told.spans()).toHaveLength(2);
});

test("a traceparent of a later version is accepted, with any trailing content", async () => {
  await using place = await served(() => [{ say: "Hello." }]);
  await place.ask({ headers: { traceparent: `7f-${traceId}-${spanId}-01-more-${"x".repeat(4_000)}` } });
  expect(parentOf(findSpan(place.told.spans(), route))).toBe(spanId);
});

test("a broken, huge or repeated traceparent starts a new trace, and the request is still answered", async () => {
  await using place = await served(() => [{ say: "Hello." }]);
  const valid = `00-${traceId}-${spanId}-01`;
  const broken = [
    "",
    "00",
    `ff-${traceId}-${spanId}-01`,
    `${valid}-more`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    valid.toUpperCase(),
    `${valid}, ${valid}`,
    Array.from({ length: 100 }, () => valid).join(","),
    `00-${"a".repeat(12_000)}-${spanId}-01`,
    `00-${traceId}-${spanId}-01;${"-".repeat(8_000)}`,
  ];
  for (const traceparent of broken) {
    expect(await place.ask({ headers: { traceparent, tracestate: "=,=,".repeat(300) } })).toContain("Hello.");
    const last = place.told.spans().at(-1);
    expect([last?.name, last && parentOf(last), last?.spanContext().traceId === traceId]).toEqual([
      route,
      undefined,
      false,
    ]);
  }
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[\x20-\x7e]*$/u), async (traceparent) => {
      expect(await place.ask({ headers: { traceparent } })).toContain("Hello.");
    }),
    { numRuns: 30 },
  );
});

test("an unauthorized request records no span but is counted", async () => {
  await using place = await served(() => [{ say: "Hello." }]);
  await place.ask({ headers: { authorization: "Bearer wrong", traceparent: `00-${traceId}-${spanId}-01` } });
  expect(place.told.spans()).toEqual([]);
  expect((await measured(place.told))("http.server.request.duration")).toMatchObject([
    { attributes: { "http.response.status_code": 401 }, value: { count: 1 } },
  ]);
});

test("a model failure is recorded with its kind and without the secret in its message", async () => {
  const redact = (text: string): string => text.replaceAll("s3cret", "[redacted]");
  await using place = await served([[{ fail: new ModelError("auth", "The key s3cret is not known.") }]], {
    redact,
  });
  await place.ask();
  const spans = place.told.spans();
  expect(findSpan(spans, "chat model")).toMatchObject({
    attributes: { "error.type": "auth" },
    status: { code: api.SpanStatusCode.ERROR, message: "The key [redacted] is not known." },
  });
  expect(JSON.stringify(spans.map(({ attributes, status }) => [attributes, status]))).not.toContain("s3cret");
  expect(place.told.open()).toBe(0);
});

test("an irreparable call adds a second model span within the same request", async () => {
  const tools = [
    {
      type: "function",
      function: {
        name: "add",
        parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      },
    },
  ];
  await using place = await served([
    [{ call: "add", with: { other: [] } }],
    [{ call: "add", with: { n: 1 } }],
  ]);
  await place.ask({ body: { ...hello, tools } });
  expect(place.told.spans().map(({ name }) => name)).toEqual(["chat model", "chat model", route]);
  expect(findSpan(place.told.spans(), route).attributes["toolwright.calls"]).toBe(1);
  expect((await measured(place.told))("gen_ai.server.time_per_output_token")).toEqual([]);
});

test("a client that disconnects leaves no span open", async () => {
  const never = Promise.withResolvers<void>();
  await using place = await served(() => [{ say: "I begin." }, { wait: never.promise }, { say: "no" }]);
  const leaving = new AbortController();
  const body = { ...hello, stream: true };
  const response = await askServer(place.server, "/v1/chat/completions", { body, signal: leaving.signal });
  await response.body?.getReader().read();
  leaving.abort();
  await expect.poll(() => place.told.open()).toBe(0);
  expect(findSpan(place.told.spans(), "chat model").attributes["error.type"]).toBe("aborted");
});

test("message content is captured only if enabled, and then with secrets redacted", async () => {
  const redact = (text: string): string => text.replaceAll("s3cret", "[redacted]");
  {
    await using place = await served(() => [{ say: "It is s3cret." }], { redact });
    await place.ask();
    const told = JSON.stringify(place.told.spans().map(({ attributes }) => attributes));
    for (const said of ["Hello", "It is"]) expect(told).not.toContain(said);
  }
  const env = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" };
  await using place = await served(() => [{ say: "It is s3cret." }], { redact, env });
  await place.ask();
  const { attributes } = findSpan(place.told.spans(), "chat model");
  expect(JSON.parse(String(attributes["gen_ai.input.messages"]))).toEqual([
    { role: "user", parts: [{ type: "text", content: "Hello, [redacted]" }] },
  ]);
  expect(JSON.parse(String(attributes["gen_ai.output.messages"]))).toEqual([
    { role: "assistant", parts: [{ type: "text", content: "It is [redacted]." }] },
  ]);
});

test("a listener that throws does not prevent the answer", async () => {
  const broken = (): never => {
    throw new Error("the collector is broken");
  };
  const heard = { accepted: broken, found: broken, asking: broken, over: broken };
  for (const hears of [
    broken,
    () => heard,
    () => ({ ...heard, asking: () => ({ told: broken, over: broken }) }),
  ]) {
    await using server = await testServer(scriptedModel([[{ say: "Hello." }]]), { hears });
    const response = await askServer(server, "/v1/chat/completions", { body: hello });
    expect(await response.text()).toContain("Hello.");
  }
});
