/** Sessions as the real OpenTelemetry SDKs receive them. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as api from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../configuration/config.ts";
import { factVersion, type Entry, type Fact } from "../../protocol/facts.ts";
import { ModelError } from "../../protocol/model-events.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { startRuntime } from "../../runtime/runtime.ts";
import { openMemoryStore } from "../../session/sqlite/memory-store.ts";
import { testSession } from "../../testing/session.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { openTelemetry } from "./open.ts";
import { findSpan, parentOf, sdk } from "./testing/sdk.ts";

const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 60 };

test("a turn is a span containing its answers and calls, named by the semantic conventions", async () => {
  const told = await sdk({ providerName: () => "some_provider" });
  const model = scriptedModel([
    [{ say: "I look." }, { call: "read_file", with: { path: "a.txt" } }, { usage }],
    [{ say: "It says hello." }, { usage }],
  ]);
  const { session, ask, close } = await testSession(model, { files: { "a.txt": "hello" }, ...told });
  await ask("What does it say?");
  await close();

  const spans = told.spans();
  expect(spans.map(({ name }) => name).toSorted()).toEqual([
    "chat model",
    "chat model",
    "execute_tool read_file",
    "invoke_agent toolwright",
  ]);
  const turn = findSpan(spans, "invoke_agent toolwright");
  expect(turn.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "toolwright",
    "gen_ai.provider.name": "some_provider",
    "gen_ai.request.model": "model",
    "gen_ai.conversation.id": session.id,
    "gen_ai.usage.input_tokens": 200,
    "gen_ai.usage.output_tokens": 40,
    "toolwright.stopped": "done",
    "toolwright.answers": 2,
    "toolwright.calls": 1,
  });
  expect(turn.status.code).toBe(api.SpanStatusCode.UNSET);
  const chat = findSpan(spans, "chat model");
  expect(chat.kind).toBe(api.SpanKind.CLIENT);
  expect(chat.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.response.model": "scripted/model",
    "gen_ai.response.finish_reasons": ["tool-calls"],
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.cache_read.input_tokens": 60,
  });
  const call = findSpan(spans, "execute_tool read_file");
  expect(call.attributes).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "read_file",
    "gen_ai.tool.call.id": "call_1",
    "toolwright.outcome": "ok",
    "toolwright.decision": "allow",
  });
  expect([parentOf(chat), parentOf(call)]).toEqual([turn.spanContext().spanId, turn.spanContext().spanId]);
  expect(told.open()).toBe(0);
  const everything = JSON.stringify(
    spans.map(({ name, attributes, events }) => ({ name, attributes, events })),
  );
  for (const said of ["hello", "What does it say", "I look", "a.txt"]) expect(everything).not.toContain(said);
});

test("durations and token counts are metrics with the attributes of their spans", async () => {
  const told = await sdk();
  const model = scriptedModel([
    [{ call: "read_file", with: { path: "none" } }, { usage }],
    [{ say: "Gone." }, { usage }],
  ]);
  const { ask, close } = await testSession(model, told);
  await ask("Read it.");
  await close();
  const metrics = await told.metrics();
  const pointsOf = (name: string): unknown[] =>
    metrics.flatMap(({ descriptor, dataPoints }) => (descriptor.name === name ? [...dataPoints] : []));
  expect(pointsOf("gen_ai.client.token.usage")).toMatchObject([
    {
      attributes: { "gen_ai.token.type": "input", "gen_ai.request.model": "model" },
      value: { sum: 200, count: 2 },
    },
    { attributes: { "gen_ai.token.type": "output" }, value: { sum: 40 } },
  ]);
  expect(pointsOf("gen_ai.client.operation.duration")).toMatchObject([
    {
      attributes: { "gen_ai.operation.name": "chat", "gen_ai.provider.name": "scripted" },
      value: { count: 2 },
    },
  ]);
  expect(pointsOf("gen_ai.execute_tool.duration")).toMatchObject([
    { attributes: { "gen_ai.tool.name": "read_file", "error.type": "failed" } },
  ]);
  expect(pointsOf("gen_ai.invoke_agent.duration")).toMatchObject([{ value: { count: 1 } }]);
});

test("a failed answer records the kind of its error, without the secret in the message", async () => {
  const told = await sdk({ redact: (text) => text.replaceAll("s3cret", "[redacted]") });
  const model = scriptedModel([[{ fail: new ModelError("auth", "The key s3cret is not known.") }]]);
  const { ask, close } = await testSession(model, told);
  await ask("Hello");
  await close();
  for (const name of ["chat model", "invoke_agent toolwright"]) {
    const span = findSpan(told.spans(), name);
    expect(span.attributes["error.type"]).toBe("auth");
    expect(span.status.code).toBe(api.SpanStatusCode.ERROR);
    expect(span.status.message ?? "").not.toContain("s3cret");
  }
  expect(told.open()).toBe(0);
});

test("a denied call is recorded as failed, with the time spent waiting for the approval", async () => {
  const told = await sdk();
  const model = scriptedModel([
    [{ call: "write_file", with: { path: "a.txt", content: "x" } }],
    [{ say: "Then not." }],
  ]);
  const { ask, close } = await testSession(model, told);
  await ask("Write it.", "deny");
  await close();
  const call = findSpan(told.spans(), "execute_tool write_file");
  expect(call.attributes).toMatchObject({
    "error.type": "denied",
    "toolwright.outcome": "denied",
    "toolwright.approval.wait": expect.any(Number),
  });
  expect(told.open()).toBe(0);
});

test("neither an interrupted turn nor a session closed while awaiting approval leaves a span open", async () => {
  const told = await sdk();
  const gate = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  const waits = {
    get wait() {
      heard.resolve(); // the answer has streamed up to here
      return gate.promise;
    },
  };
  const model = scriptedModel(() => [{ say: "I begin." }, waits]);
  const { session, close } = await testSession(model, told);
  await session.command({ type: "send", content: [{ type: "text", text: "Go" }] });
  await heard.promise;
  await session.command({ type: "interrupt" });
  expect(findSpan(told.spans(), "invoke_agent toolwright").attributes["toolwright.stopped"]).toBe(
    "interrupted",
  );
  expect(told.open()).toBe(0);
  await close();

  const waiting = scriptedModel([[{ call: "write_file", with: { path: "a.txt", content: "x" } }]]);
  const other = await testSession(waiting, told);
  await other.session.command({ type: "send", content: [{ type: "text", text: "Go" }] });
  await other.session.idle();
  expect(told.open()).toBe(1);
  await other.close();
  expect(told.open()).toBe(0);
  const left = told.spans().filter(({ attributes }) => attributes["toolwright.turn.left_open"] === true);
  expect(left).toHaveLength(1);
});

test("a turn resumed after a crash gets a span of its own, and the interrupted call's span is closed", async () => {
  const told = await sdk();
  const workspace = await temporaryWorkspace({});
  onTestFinished(() => workspace.remove());
  const store = openMemoryStore();
  await store.create({ id: "s", workspace: workspace.root, createdAt: 1 });
  const facts: Fact[] = [
    { type: "session-start", session: "s", workspace: workspace.root, version: "1" },
    { type: "user-message", content: [{ type: "text", text: "Run it." }] },
    { type: "turn-start", model: "scripted/model", mode: "ask" },
    { type: "call", call: { id: "x", name: "run_command", input: { command: "true" }, source: "native" } },
    { type: "answer-end", reason: "tool-calls", model: "scripted/model" },
    { type: "call-start", callId: "x", title: "t", does: "execute" },
  ];
  const entries = facts.map((fact, at): Entry => ({
    ...fact,
    v: factVersion,
    seq: at + 1,
    at: at + 1,
    turn: at && 1,
  }));
  await store.append("s", await store.claim("s"), entries);
  const { session, close } = await testSession(scriptedModel([[{ say: "It broke off." }]]), {
    store,
    workspace,
    resume: "s",
    ...told,
  });
  await session.command({ type: "go-on" });
  await session.idle();
  await close();
  const turn = findSpan(told.spans(), "invoke_agent toolwright");
  expect(turn.attributes).toMatchObject({ "toolwright.turn.resumed": true, "toolwright.answers": 1 });
  expect(findSpan(told.spans(), "execute_tool run_command").attributes["error.type"]).toBe("interrupted");
  for (const span of told.spans()) expect(span.startTime[0]).toBeGreaterThan(1_000_000); // not in 1970
  expect(told.open()).toBe(0);
});

test("a child session belongs to the trace of the call that delegated to it", async () => {
  const told = await sdk();
  const [observer] = told.observers;
  const stamp = (fact: Fact, seq: number): Entry => ({
    ...fact,
    v: factVersion,
    seq,
    at: 1_000_000_000 + seq,
    turn: 1,
  });
  const start: Fact = { type: "turn-start", model: "p/m", mode: "ask" };
  const parent = observer?.session({ id: "parent", earlier: [] });
  const call: Fact = { type: "call", call: { id: "d", name: "delegate", input: {}, source: "native" } };
  const begun: Fact = { type: "call-start", callId: "d", title: "t", does: "delegate" };
  const given: Fact = { type: "child-started", callId: "d", session: "child", task: "t" };
  [start, call, begun, given].forEach((fact, at) => parent?.receive(stamp(fact, at)));
  const child = observer?.session({ id: "child", earlier: [] });
  const first: Fact = {
    type: "session-start",
    session: "child",
    workspace: "/w",
    version: "1",
    parent: { session: "parent", callId: "d" },
  };
  const end: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };
  [first, start, end].forEach((fact, at) => child?.receive(stamp(fact, at)));
  parent?.receive(stamp({ type: "result", callId: "d", outcome: "ok", content: [] }, 9));
  parent?.receive(stamp(end, 10));
  const spans = told.spans();
  const of = (session: string): ReadableSpan | undefined =>
    spans.find(
      ({ attributes, name }) => name.startsWith("invoke") && attributes["gen_ai.conversation.id"] === session,
    );
  const delegate = findSpan(spans, "execute_tool delegate");
  expect(
    parentOf(
      findSpan(
        [of("child")].flatMap((span) => span ?? []),
        "invoke_agent toolwright",
      ),
    ),
  ).toBe(delegate.spanContext().spanId);
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
  expect(told.open()).toBe(0);
});

test("a subagent's span in a real runtime is within the delegating call and counts its own tokens", async () => {
  const told = await sdk();
  const home = await mkdtemp(join(tmpdir(), "toolwright-telemetry-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const flags = { cwd: join(home, "work"), stateDir: join(home, "state") };
  const given = { command: "chat", flags, environment: {} } as const;
  const config = await loadConfig({ arguments: given, env: { HOME: home }, cwd: home });
  if (!config.ok) throw new Error(config.problem);
  const model = scriptedModel([
    [{ call: "delegate", with: { task: "Look around." } }],
    [{ say: "There is nothing." }, { usage }],
    [{ say: "It found nothing." }],
  ]);
  const context = { env: { HOME: home }, interactive: true, model, observers: told.observers };
  const runtime = await startRuntime(config.value, context);
  if (!runtime.ok) throw new Error(runtime.problem);
  const session = await runtime.value.open({});
  if (!session.ok) throw new Error(session.problem);
  await session.value.command({ type: "send", content: [{ type: "text", text: "Look" }] });
  await session.value.idle();
  await session.value.close();
  await runtime.value.close();
  const spans = told.spans();
  const delegate = findSpan(spans, "execute_tool delegate");
  const turns = spans.filter(({ name }) => name === "invoke_agent toolwright");
  expect(new Set(turns.map(parentOf))).toEqual(new Set([undefined, delegate.spanContext().spanId]));
  const child = turns.find((span) => parentOf(span) !== undefined);
  expect(child?.attributes).toMatchObject({ "gen_ai.usage.input_tokens": 100, "toolwright.stopped": "done" });
  expect(told.open()).toBe(0);
});

test("message content is captured if enabled, with secrets redacted", async () => {
  const env = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" };
  const told = await sdk({ env, redact: (text) => text.replaceAll("s3cret", "[redacted]") });
  const model = scriptedModel([
    [{ call: "read_file", with: { path: "a.txt" } }],
    [{ say: "It says s3cret." }],
  ]);
  const { ask, close } = await testSession(model, { files: { "a.txt": "the s3cret" }, ...told });
  await ask("What is s3cret?");
  await close();
  const turn = findSpan(told.spans(), "invoke_agent toolwright");
  expect(JSON.parse(String(turn.attributes["gen_ai.input.messages"]))).toEqual([
    { role: "user", parts: [{ type: "text", content: "What is [redacted]?" }] },
  ]);
  const call = findSpan(told.spans(), "execute_tool read_file");
  expect(call.attributes["gen_ai.tool.call.arguments"]).toBe('{"path":"a.txt"}');
  expect(call.attributes["gen_ai.tool.call.result"]).toContain("[redacted]");
  expect(JSON.stringify(told.spans().map(({ attributes }) => attributes))).not.toContain("s3cret");
});

test("the trace of the process that started the run is continued", async () => {
  const told = await sdk({ env: { TRACEPARENT: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01` } });
  const { ask, close } = await testSession(scriptedModel([[{ say: "Yes." }]]), told);
  await ask("Hello");
  await close();
  const turn = findSpan(told.spans(), "invoke_agent toolwright");
  expect([turn.spanContext().traceId, parentOf(turn)]).toEqual(["ab".repeat(16), "cd".repeat(8)]);
});

test("a missing SDK or a module that cannot be loaded is reported as a problem", async () => {
  expect(await openTelemetry()).toEqual({
    ok: false,
    problem: expect.stringContaining("no OpenTelemetry SDK is set up"),
  });
  const home = await mkdtemp(join(tmpdir(), "toolwright-telemetry-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const broken = join(home, "broken.mjs");
  await writeFile(broken, 'throw new Error("no collector");');
  expect(await openTelemetry({ module: broken })).toEqual({
    ok: false,
    problem: expect.stringContaining("no collector"),
  });
  expect(await openTelemetry({ module: "no-such-package" })).toMatchObject({ ok: false });
});

test("a module that sets up an SDK is loaded first", async () => {
  const home = await mkdtemp(join(tmpdir(), "toolwright-telemetry-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const path = join(home, "setup.mjs");
  const from = (name: string): string => JSON.stringify(import.meta.resolve(name));
  await writeFile(
    path,
    `import { trace } from ${from("@opentelemetry/api")};
     import { TracerProvider } from ${from("@opentelemetry/sdk-trace")};
     trace.setGlobalTracerProvider(new TracerProvider({}));`,
  );
  expect(await openTelemetry({ module: path })).toMatchObject({ ok: true });
});
