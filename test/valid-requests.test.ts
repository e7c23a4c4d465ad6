import { expect, test } from "vitest";
import type { Message } from "../src/protocol/messages.ts";
import { wires } from "../src/wires/index.ts";
import { type WireName, wireNames } from "../src/wires/wire.ts";
import { complaintsOf, shortIdComplaints } from "./support/valid-requests.ts";

/** Tests of the checkers themselves: each of them finds the faults that the encoder does not repair. */

const text = (words: string) => ({ type: "text" as const, text: words });
const user = (words: string): Message => ({ role: "user", content: [text(words)] });
const call = (id: string, name = "read_file") => ({
  type: "call" as const,
  call: { id, name, input: {}, source: "native" },
});
const result = (callId: string): Message => ({
  role: "tool",
  callId,
  name: "read_file",
  content: [text("done")],
  isError: false,
});
const answer = (...ids: string[]): Message => ({ role: "assistant", content: ids.map((id) => call(id)) });

const said = (wire: WireName, messages: Message[], model = "gemini-3-pro"): string[] =>
  complaintsOf(wire, wires[wire].encodeAsk({ model, system: "s", messages, tools: [] }, { streamed: true }));

const allBut = (...names: WireName[]): WireName[] => wireNames.filter((name) => !names.includes(name));

const whole = [user("Go."), answer("a", "b"), result("a"), result("b"), user("Stop.")];
const faults: readonly { fault: string; messages: Message[]; seenBy: WireName[] }[] = [
  { fault: "a call without its result", messages: [user("Go."), answer("a")], seenBy: allBut("gemini") },
  {
    fault: "a result without its call",
    messages: [user("Go."), result("z"), user("So?")],
    seenBy: allBut("gemini"),
  },
  {
    fault: "two results of one call",
    messages: [user("Go."), answer("a"), result("a"), result("a")],
    seenBy: [...wireNames],
  },
  {
    fault: "results in another order",
    messages: [user("Go."), answer("a", "b"), result("b"), result("a")],
    seenBy: allBut("anthropic", "openai-responses"),
  },
  {
    fault: "an answer as the first word",
    messages: [{ role: "assistant", content: [text("Hi.")] }, user("Go.")],
    seenBy: [...wireNames],
  },
  {
    fault: "half an answer as the last word",
    messages: [user("Go."), { role: "assistant", content: [text("I")] }],
    seenBy: [...wireNames],
  },
  { fault: "half a surrogate pair", messages: [user("a \ud83d")], seenBy: [...wireNames] },
  {
    fault: "a name that nobody takes",
    messages: [user("Go."), { role: "assistant", content: [call("a", "read file")] }, result("a")],
    seenBy: [...wireNames],
  },
  {
    fault: "two messages of a person",
    messages: [user("One."), user("Two.")],
    seenBy: ["openai-chat", "ollama", "cohere"],
  },
  { fault: "a message of blanks", messages: [user(" \n")], seenBy: [...wireNames] },
];

test("a valid history is accepted by every wire's checker", () => {
  for (const wire of wireNames) expect([wire, said(wire, whole)]).toEqual([wire, []]);
});

test.each(faults)("$fault is detected, except on wires whose encoder repairs it", ({ messages, seenBy }) => {
  const complaining = wireNames.filter((wire) => said(wire, messages).length > 0);
  expect(complaining).toEqual(seenBy);
});

test("the rules of single vendors are checked", () => {
  const body = wires["openai-chat"].encodeAsk(
    { model: "m", system: "", messages: whole, tools: [] },
    { streamed: true },
  );
  expect(shortIdComplaints(body)).toEqual([
    "tool call id was a,b",
    "tool call id was a",
    "tool call id was b",
    "unexpected role 'user' after role 'tool'",
  ]);
  const block = { type: "thinking", thinking: "Hm.", signature: "s" };
  const thinking = {
    role: "assistant",
    content: [block, { type: "tool_use", id: "a", name: "f", input: {} }],
  };
  const messages = [{ role: "user", content: [text("Go.")] }, thinking];
  const results = { role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] };
  expect(complaintsOf("anthropic", { model: "claude-sonnet-5-5", messages: [...messages, results] })).toEqual(
    ["a thought whose prefix has changed would be refused"],
  );
  const marked = { type: "text", text: "x", cache_control: { type: "ephemeral" } };
  const five = { role: "user", content: [marked, marked, marked, marked, marked] };
  expect(complaintsOf("anthropic", { model: "m", messages: [five] })).toHaveLength(1);
});
