import { Ollama } from "ollama";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { loopback, type Loopback } from "../testing/loopback.ts";
import { asStream } from "../testing/stream-summary.ts";
import { ollama } from "./ollama.ts";

const call = (id: string, path: string): ModelEvent[] => [
  { type: "call-start", id, name: "read_file" },
  {
    type: "call-end",
    call: { id, name: "read_file", input: { path, text: 'a "b"\n\\ é' }, source: "native" },
  },
];
const answer: ModelEvent[] = [
  { type: "answer-start", model: "toolwright-1" },
  { type: "reasoning-delta", text: "Let me see: " },
  { type: "reasoning-delta", text: "two files." },
  { type: "reasoning-end" },
  { type: "text-delta", text: "I read " },
  { type: "text-delta", text: "both." },
  ...call("call_1", "a"),
  ...call("call_2", "a"),
  { type: "usage", usage: { inputTokens: 130, outputTokens: 12 } },
  { type: "answer-end", reason: "tool-calls" },
];
const callsOf = (...ids: number[]): object[] =>
  ids.map((n) => ({
    id: `call_${n}`,
    type: "function",
    function: { index: n - 1, name: "read_file", arguments: { path: "a", text: 'a "b"\n\\ é' } },
  }));
const ending = { done: true, done_reason: "stop", prompt_eval_count: 130, eval_count: 12 };

const client = ({ url }: Loopback): Ollama => new Ollama({ host: url });
const asked = { model: "toolwright-1", messages: [{ role: "user", content: "Read both." }] };

test("the vendor's client streams text, thinking and calls from our server", async () => {
  await using server = await loopback(ollama, () => asStream(answer));
  const chunks = await collect(await client(server).chat({ ...asked, stream: true, think: true }));
  expect(chunks.map((chunk) => chunk.message)).toEqual([
    { role: "assistant", content: "", thinking: "Let me see: " },
    { role: "assistant", content: "", thinking: "two files." },
    { role: "assistant", content: "I read " },
    { role: "assistant", content: "both." },
    { role: "assistant", content: "", tool_calls: callsOf(1) },
    { role: "assistant", content: "", tool_calls: callsOf(2) },
    { role: "assistant", content: "" },
  ]);
  expect(chunks.at(-1)).toMatchObject({ model: "toolwright-1", ...ending });
  expect(server.asks).toEqual([
    {
      model: "toolwright-1",
      system: "",
      messages: [{ role: "user", content: [{ type: "text", text: "Read both." }] }],
      tools: [],
      reasoning: "medium",
    },
  ]);
});

test("the vendor's client reads a whole reply and sends it back with its results", async () => {
  await using server = await loopback(ollama, () => asStream(answer));
  const reply = await client(server).chat(asked);
  expect(reply).toMatchObject({
    model: "toolwright-1",
    message: { content: "I read both.", thinking: "Let me see: two files.", tool_calls: callsOf(1, 2) },
    ...ending,
  });
  const results = ["one", "two"].map((content) => ({ role: "tool", content, tool_name: "read_file" }));
  await client(server).chat({ ...asked, messages: [...asked.messages, reply.message, ...results] });
  expect(server.asks[1]?.messages.slice(1)).toEqual([
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Let me see: two files." },
        { type: "text", text: "I read both." },
        ...answer.flatMap((event) => (event.type === "call-end" ? [{ type: "call", call: event.call }] : [])),
      ],
    },
    ...["one", "two"].map((text, at) => ({
      role: "tool",
      callId: `call_${at + 1}`,
      name: "read_file",
      content: [{ type: "text", text }],
      isError: false,
    })),
  ]);
});

test("the vendor's client reports errors: as a status before the answer, as an exception within it", async () => {
  const error = new ModelError("unknown-model", "There is no such model.");
  await using refusing = await loopback(ollama, () => asStream([], error));
  await expect(client(refusing).chat(asked)).rejects.toMatchObject({
    status_code: 404,
    error: "There is no such model.",
  });
  await using breaking = await loopback(ollama, () => asStream(answer.slice(0, 5), error));
  const stream = await client(breaking).chat({ ...asked, stream: true });
  await expect(collect(stream)).rejects.toThrow("There is no such model.");
});
