import fc from "fast-check";
import { expect, test } from "vitest";
import { processorMs } from "../testing/processor-time.ts";
import { scale } from "../testing/scale.ts";
import { isSameModel, sendable, sendableName } from "./history.ts";
import type { AssistantPart, ToolCall, Message, ContentPart } from "./messages.ts";

const text = (words: string): { type: "text"; text: string } => ({ type: "text", text: words });
const user = (...words: string[]): Message => ({ role: "user", content: words.map(text) });
const answer = (...content: AssistantPart[]): Message => ({ role: "assistant", content });
const callOf = (id: string, name = "read_file"): ToolCall => ({ id, name, input: {}, source: "native" });
const call = (id: string, name?: string): AssistantPart => ({ type: "call", call: callOf(id, name) });
const result = (callId: string, words = `of ${callId}`): Message => ({
  role: "tool",
  callId,
  name: "read_file",
  content: [text(words)],
  isError: false,
});

test("a well-formed history is sent unchanged", () => {
  const whole = [user("Read."), answer(text("Yes."), call("a"), call("b")), result("a"), result("b")];
  expect(sendable(whole)).toEqual(whole);
});

test("a history of which nothing is left to send has one message all the same", () => {
  for (const nothing of [[], [user(" ")], [result("nobody")]])
    expect(sendable(nothing)).toEqual([user("Go on.")]);
});

test("each call's first result follows its answer directly, in call order", () => {
  expect(
    sendable([
      user("Read."),
      answer(call("a"), call("b"), call("c")),
      result("b"),
      user("And hurry."),
      result("nobody"),
      result("a"),
      result("b", "again"),
    ]),
  ).toEqual([
    user("Read."),
    answer(call("a"), call("b"), call("c")),
    result("a"),
    result("b"),
    {
      ...result("c"),
      content: [
        text(
          "No result of this call is known: it may have run, in part or not at all. Check before you repeat it.",
        ),
      ],
      isError: true,
    },
    user("And hurry."),
  ]);
});

test("calls that share an id get distinct ids, each with its own result", () => {
  const again = [answer(call("a")), result("a", "first"), answer(call("a")), result("a", "second")];
  expect(sendable([user("Go."), ...again, answer(call("a_2")), result("a_2", "third")])).toEqual([
    user("Go."),
    answer(call("a")),
    result("a", "first"),
    answer(call("a_2")),
    result("a_2", "second"),
    answer(call("a_2_2")),
    result("a_2_2", "third"),
  ]);
  expect(sendable([user("Go."), answer(call("a"), call("a")), result("a", "1"), result("a", "2")])).toEqual([
    user("Go."),
    answer(call("a"), call("a_2")),
    result("a", "1"),
    result("a_2", "2"),
  ]);
});

test("a picture in a result is kept", () => {
  const picture: ContentPart = { type: "image", mediaType: "image/png", data: "iVBO" };
  const content = [text("It shows:"), picture];
  const seen: Message = { role: "tool", callId: "a", name: "read_file", isError: false, content };
  expect(sendable([user("Go."), answer(call("a")), seen])).toEqual([user("Go."), answer(call("a")), seen]);
});

test("an earlier call without a result does not take the result of a later call with the same id", () => {
  const [, , lost, , found] = sendable([user("Go."), answer(call("a")), answer(call("a")), result("a")]);
  expect([lost, found]).toMatchObject([{ isError: true }, { callId: "a_2", isError: false }]);
});

test("empty content is dropped, and adjacent messages of the same role are merged", () => {
  const blank: Message = { role: "user", content: [text(" \n"), text("")] };
  expect(
    sendable([
      user("One.", " "),
      blank,
      user("Two."),
      answer({ type: "reasoning", text: "Hm." }, text("")),
      user("Three."),
      answer(text("Four.")),
      blank,
      answer(text(" "), text("Five.")),
      user("Six."),
    ]),
  ).toEqual([user("One.", "Two.", "Three."), answer(text("Four."), text("Five.")), user("Six.")]);
});

test("a history starts and ends with a user message", () => {
  expect(sendable([answer(text("Half an ans"))])).toEqual([
    user("[The beginning of this conversation is left out.]"),
    answer(text("Half an ans")),
    user("Go on."),
  ]);
});

test("provider state is sent only to the model that produced it; the reasoning text is always sent", () => {
  const state = { from: "anthropic", value: "signed" };
  const thought: AssistantPart = { type: "reasoning", text: "Hm.", state };
  const signedCall: AssistantPart = { type: "call", call: { ...callOf("a"), state } };
  const said: Message = { role: "assistant", content: [thought, signedCall], state, by: "x/model-1" };
  const asked = (model?: string): Message | undefined =>
    sendable([user("Go."), said, result("a")], model === undefined ? {} : { model })[1];
  const kept = { role: "assistant", content: [thought, signedCall], state };
  expect(asked()).toEqual(kept);
  expect(asked("x/model-1-20261101")).toEqual(kept);
  // The same object: what a wire encoded for an earlier request remains valid.
  expect(asked("x/model-1")?.content).toBe(said.content);
  expect(asked("x/model-2")).toEqual(answer({ type: "reasoning", text: "Hm." }, call("a")));
  const unknown: Message = { role: "assistant", content: [thought, signedCall], state };
  expect(sendable([user("Go."), unknown, result("a")], { model: "y" })[1]).toEqual(kept);
});

test.each([
  ["anthropic/claude-sonnet-5-5", "anthropic/claude-sonnet-5-5-20261101", true],
  ["openai/gpt-5.5-2026-10-01", "openai/gpt-5.5", true],
  ["mistral/mistral-large-latest", "mistral/mistral-large", true],
  ["anthropic/claude-sonnet-5-5", "anthropic/claude-sonnet-5", false],
  ["openai/gpt-5.5", "openai/gpt-5.5-mini", false],
  ["openai/gpt-5.5", "openrouter/gpt-5.5", false],
])("whether %s and %s are the same model: %s", (one, other, isSame) => {
  expect(isSameModel(one, other)).toBe(isSame);
});

test.each([
  ["read_file", "read_file"],
  ["mcp server.list/all", "mcp_server_list_all"],
  ["9lives", "_9lives"],
  ["-x", "_-x"],
  ["日本", "unknown_tool"],
  ["", "unknown_tool"],
  ["n".repeat(90), "n".repeat(64)],
])("the name %j is sent as %j", (name, told) => {
  expect(sendableName(name)).toBe(told);
});

test("lone surrogates are replaced everywhere", () => {
  const half = "\ud83d";
  const [first, second, third] = sendable([
    user(`a ${half}`),
    answer({
      type: "call",
      call: {
        ...callOf(`id${half}`),
        name: `f${half}`,
        input: { [half]: [{ b: half }] },
        rawArguments: half,
      },
    }),
    result(`id${half}`, half),
  ]);
  expect([first, second, third]).toEqual([
    user("a \ufffd"),
    answer({
      type: "call",
      call: { ...callOf("id\ufffd", "f_"), input: { "\ufffd": [{ b: "\ufffd" }] }, rawArguments: "\ufffd" },
    }),
    { ...result("id\ufffd", "\ufffd"), name: "f_" },
  ]);
});

/** Messages no session should have stored. */
const id = fc.constantFrom("a", "b", "a_2", "", "é:1");
const words = fc.constantFrom("", " ", "one", "two\ud800", "a\n\nb");
const parts: fc.Arbitrary<ContentPart[]> = fc.array(
  fc.oneof(
    words.map(text),
    fc.constant<ContentPart>({ type: "image", mediaType: "image/png", data: "iVBO" }),
  ),
  { maxLength: 3 },
);
const anyMessages: fc.Arbitrary<Message[]> = fc.array(
  fc.oneof(
    parts.map((content): Message => ({ role: "user", content })),
    fc
      .array(
        fc.oneof(
          words.map(text),
          words.map((said): AssistantPart => ({ type: "reasoning", text: said })),
          fc.tuple(id, words).map(([own, name]) => call(own, name)),
        ),
        { maxLength: 4 },
      )
      .map((content) => answer(...content)),
    fc.tuple(id, words).map(([own, said]) => result(own, said)),
  ),
  { maxLength: 12 },
);

test("arbitrary messages become a valid conversation, and repairing it again changes nothing", () => {
  fc.assert(
    fc.property(anyMessages, (messages) => {
      const mended = sendable(messages);
      expect(sendable(mended)).toEqual(mended);
      const [roles, ids] = [mended.map(({ role }) => role), new Set<string>()];
      if (roles.length > 0) expect([roles[0], roles.at(-1) === "assistant"]).toEqual(["user", false]);
      const awaited: string[] = [];
      for (const [at, message] of mended.entries()) {
        if (message.role === "tool") {
          expect(message.callId).toBe(awaited.shift());
          continue;
        }
        expect(awaited).toEqual([]);
        expect(message.role).not.toBe(roles[at - 1]);
        expect(message.content.some((part) => part.type !== "reasoning")).toBe(true);
        for (const part of message.content) {
          if (part.type === "text") expect(part.text.trim()).not.toBe("");
          if (part.type !== "call") continue;
          expect(ids.has(part.call.id)).toBe(false);
          ids.add(part.call.id);
          awaited.push(part.call.id);
        }
      }
      expect(awaited).toEqual([]);
      const spoken = (list: readonly Message[]): string[] =>
        list.flatMap(({ role, content }) =>
          role === "user" ? content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
        );
      const heard = spoken(mended).join("\n");
      for (const said of spoken(messages)) expect(heard).toContain(said.trim().toWellFormed());
    }),
    { numRuns: 300 * scale },
  );
});

test("later messages leave all sent messages but the last unchanged", () => {
  fc.assert(
    fc.property(anyMessages, anyMessages, (before, after) => {
      // Only complete rounds: a result that comes later would already have been replaced by a placeholder.
      const told = sendable(before);
      const next = sendable([...told, ...after.filter(({ role }) => role !== "tool")]);
      expect(next.slice(0, Math.max(0, told.length - 1))).toEqual(told.slice(0, -1));
    }),
    { numRuns: 500 * scale },
  );
});

test("ten thousand calls of one answer under one id are repaired in linear time", () => {
  const many = Array.from({ length: 10_000 }, () => call("call"));
  let mended: readonly Message[] = [];
  const cost = processorMs(() => {
    mended = sendable([user("Go."), answer(...many), ...many.map(() => result("call"))]);
  });
  expect(mended).toHaveLength(10_002);
  expect(new Set(mended.flatMap((each) => (each.role === "tool" ? [each.callId] : []))).size).toBe(10_000);
  expect(cost).toBeLessThan(2000);
});
