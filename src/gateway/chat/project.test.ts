import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { Command } from "../../protocol/commands.ts";
import { ModelError } from "../../protocol/model-events.ts";
import { scriptedModel, type ScriptedAnswer, type ScriptedStep } from "../../providers/scripted-model.ts";
import { scale } from "../../testing/scale.ts";
import { testSession, type TestSession, type TestSessionOptions } from "../../testing/session.ts";
import type { ChatFrame } from "./frames.ts";
import { emptyChat } from "./state.ts";
import { chatClient } from "./testing/client.ts";
import { type ChatEvent, factsOf, join, plain, play, storedConversation, without } from "./testing/play.ts";

const open: TestSession[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function session(
  answers: readonly ScriptedAnswer[],
  options: TestSessionOptions & { pieces?: number } = {},
) {
  const model = scriptedModel(answers, options.pieces === undefined ? {} : { pieces: options.pieces });
  const made = await testSession(model, { files: { "a.txt": "alpha\n" }, ...options });
  open.push(made);
  const events: ChatEvent[] = [...made.facts()];
  made.session.log.listen((event) => void events.push(event));
  return { ...made, events };
}

const types = (frames: readonly ChatFrame[]) => frames.map(({ type }) => type);

test("E8: a turn with a call produces the protocol's frames in order", async () => {
  const { ask, events } = await session([
    [{ say: "I look." }, { call: "read_file", with: { path: "a.txt" }, id: "r" }],
    [{ say: "It says alpha." }, { usage: { inputTokens: 10, outputTokens: 4 } }],
  ]);
  await ask("What is in a.txt?");
  const client = chatClient();
  play(emptyChat("s"), client, factsOf(events));
  expect(types(client.frames)).toEqual([
    "chat.message",
    "chat.stream.start",
    "chat.stream.delta",
    "tool.call",
    "tool.result",
    "chat.stream.delta",
    "usage.report",
    "chat.stream.end",
  ]);
  expect(client.frames[3]).toMatchObject({
    callId: "r",
    name: "read_file",
    input: { path: "a.txt" },
    turn: 1,
  });
  expect(client.frames.at(-1)).toMatchObject({ text: "I look.\n\nIt says alpha.", stopped: "done" });
  expect(client.streaming).toBe(false);
});

test("E2, E4, E7: the message is the text of all answers without the JSON of their calls", async () => {
  const { ask, events } = await session(
    [
      [{ say: "One. " }, { call: "read_file", with: { path: "a.txt" } }, { think: "hm" }, { say: "\n\n" }],
      [{ say: "  \n" }, { say: "Two" }, { call: "list_files", with: {} }],
      [{ say: "Three." }],
    ],
    { pieces: 2 },
  );
  await ask("Go.");
  const client = chatClient();
  play(emptyChat("s"), client, events);
  expect(client.ends.map(({ text }) => text)).toEqual(["One. \n\n  \nTwo\n\nThree."]);
  expect(JSON.stringify(client.messages)).not.toMatch(/read_file|"path"|arguments/u);
  expect(plain(client.messages)).toEqual(storedConversation(events));
});

test("E5, E6: a failed request gets one general delta and an error with the details, and streaming ends", async () => {
  const { ask, events } = await session([[{ fail: new ModelError("auth", "HTTP 401: bad key") }]]);
  await ask("Go.").catch(() => undefined);
  const client = chatClient();
  play(emptyChat("s"), client, events);
  expect(types(client.frames)).toEqual([
    "chat.message",
    "chat.stream.start",
    "chat.stream.delta",
    "error",
    "chat.stream.end",
  ]);
  expect(client.frames[3]).toMatchObject({ code: "turn-failed", message: expect.stringContaining("401") });
  expect(client.streaming).toBe(false);
});

test("E6: the error of a call is sent with the call, not in the answer", async () => {
  const { ask, events } = await session([
    [{ call: "read_file", with: { path: "missing.txt" }, id: "m" }],
    [],
  ]);
  await ask("Go.");
  const client = chatClient();
  play(emptyChat("s"), client, events);
  const error = client.frames.find(({ type }) => type === "tool.error");
  expect(error).toMatchObject({ callId: "m", name: "read_file", outcome: "failed" });
  expect(JSON.stringify(error)).toContain("no such file");
  expect(client.ends[0]?.text).not.toContain("no such file");
  expect(client.deltas).toBe(1);
});

test("an interrupted answer is reset on retry, and the message contains the second answer only", async () => {
  const cut = new ModelError("network", "The connection was lost.", { midStream: true });
  const { ask, events } = await session(
    [[{ say: "Half of it" }, { fail: cut }], [{ say: "Half an hour." }]],
    {
      pieces: 3,
    },
  );
  await ask("Go.");
  const client = chatClient();
  play(emptyChat("s"), client, events);
  expect(types(client.frames)).toContain("chat.stream.reset");
  expect(client.ends[0]?.text).toBe("Half an hour.");
});

test("streamed text that turns out to be reasoning is withdrawn and sent as reasoning", () => {
  const client = chatClient();
  const stamp = { v: 1, at: 0, turn: 1 };
  play(emptyChat("s"), client, [
    { ...stamp, seq: 1, type: "user-message", content: [{ type: "text", text: "Go." }] },
    { type: "text-delta", block: 1, offset: 0, text: "Let me think" },
    { ...stamp, seq: 2, type: "reasoning", block: 1, text: "Let me think" },
    { type: "text-delta", block: 2, offset: 0, text: "Done." },
    { ...stamp, seq: 3, type: "text", block: 2, text: "Done.", by: "model" },
    { ...stamp, seq: 4, type: "answer-end", reason: "stop", model: "m" },
    { ...stamp, seq: 5, type: "turn-end", stopped: "done", changed: [], verified: [], text: "Done." },
  ]);
  expect(client.ends[0]?.text).toBe("Done.");
  expect(client.frames.find(({ type }) => type === "chat.stream.reasoning")).toMatchObject({
    delta: "Let me think",
    block: 1,
    offset: 0,
  });
});

test("a turn that ends without any text still gets one delta", () => {
  const client = chatClient();
  const stamp = { v: 1, at: 0, turn: 1 };
  play(emptyChat("s"), client, [
    { ...stamp, seq: 1, type: "user-message", content: [{ type: "text", text: "Go." }] },
    { ...stamp, seq: 2, type: "turn-end", stopped: "done", changed: [], verified: [], text: " " },
  ]);
  expect(client.ends).toHaveLength(1);
  expect(client.deltas).toBe(1);
});

/** What the model does in one answer; every call either needs approval in some mode or fails. */
const said = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom(" ", "\n", "Done.", '{"tool":"x"}', "[", "\u{1F600}\u{1F600}"),
);
const doing: fc.Arbitrary<ScriptedStep> = fc.oneof(
  { weight: 4, arbitrary: said.map((say) => ({ say })) },
  { weight: 1, arbitrary: said.map((think) => ({ think })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<ScriptedStep>(
      { call: "read_file", with: { path: "a.txt" } },
      { call: "read_file", with: { path: "none.txt" } },
      { call: "write_file", with: { path: "b.txt", content: "b\n" } },
      { call: "no_such_tool", with: {} },
      { call: "read_file", with: { path: 5 } },
      { call: "todos", with: { items: [{ text: "one", state: "open" }] } },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<ScriptedStep>(
      { end: "length" },
      { end: "refusal" },
      { fail: new ModelError("network", "cut", { midStream: true }) },
      { fail: new ModelError("server", "500") },
    ),
  },
);
const run = fc.record({
  answers: fc.array(fc.array(doing, { maxLength: 4 }), { minLength: 1, maxLength: 5 }),
  pieces: fc.integer({ min: 1, max: 5 }),
  mode: fc.constantFrom("ask", "staged", "deny"),
  answer: fc.constantFrom("allow", "deny"),
  turns: fc.integer({ min: 1, max: 3 }),
  cancelAt: fc.option(fc.integer({ min: 3, max: 40 })),
  steerAt: fc.option(fc.integer({ min: 3, max: 40 })),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

async function events({
  answers,
  pieces,
  mode,
  answer,
  turns,
  cancelAt,
  steerAt,
}: Run): Promise<ChatEvent[]> {
  const made = await testSession(scriptedModel(answers, { pieces }), { files: { "a.txt": "alpha\n" }, mode });
  const heard: ChatEvent[] = [...made.facts()];
  const under: Promise<unknown>[] = [];
  const ask = (command: Command): void => queueMicrotask(() => under.push(made.session.command(command)));
  made.session.log.listen((event) => {
    heard.push(event);
    if (!("seq" in event)) return;
    if (event.seq === cancelAt) ask({ type: "interrupt" });
    if (event.seq === steerAt) ask({ type: "send", content: [{ type: "text", text: "And more." }] });
    // Includes a turn opened by the message between two requests.
    if (event.type === "approval-asked")
      ask({ type: "answer-approval", callId: event.callId, answer, scope: "once", by: "test" });
  });
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      await made.ask(`Request ${turn}`, answer);
      await Promise.all(under);
      await made.session.idle();
    }
  } finally {
    await made.close();
  }
  return heard;
}

/** The index at which a client joins or leaves, modulo the number of events. */
const place = fc.nat({ max: 10_000 });

test("E3, E4, E5: in any run every end follows a delta, and the deltas make up the stored message", async () => {
  const lost = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(run, lost, place, async (plan, dropped, where) => {
      const heard = await events(plan);
      const conversed = storedConversation(heard);
      const whole = chatClient();
      const last = play(emptyChat("s"), whole, without(heard, dropped));
      expect(plain(whole.messages)).toEqual(conversed);
      expect(last.streaming).toBe(whole.streaming);
      expect(last.isOpen).toBe(conversed.at(-1)?.role !== "assistant");
      const at = where % (heard.length + 1);
      const late = join(heard, at);
      play(late.state, late.client, without(heard.slice(at), dropped));
      expect(plain(late.client.messages)).toEqual(conversed);
      expect(late.client.streaming).toBe(last.isOpen);
    }),
    { numRuns: 30 * scale },
  );
});
