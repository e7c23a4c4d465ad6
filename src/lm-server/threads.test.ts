/**
 * Anthropic's own tool runner sends only new messages if the server stores the rest: ours stores nothing, and says so.
 */

import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { askServer, testServer, testToken } from "./testing/server.ts";

test("continuing from a stored answer is refused with the error code that clients recover from", async () => {
  await using server = await testServer(scriptedModel([]));
  const result = { type: "tool_result", tool_use_id: "call_1", content: "RESULT-42" };
  const body = {
    model: "m",
    max_tokens: 9,
    messages: [{ role: "user", content: [result] }],
    thread: { type: "continue", previous_message_id: "msg_1" },
  };
  const reply = await askServer(server, "/v1/messages", { body });
  expect([reply.status, await reply.json()]).toEqual([
    404,
    {
      type: "error",
      error: {
        type: "not_found_error",
        message: expect.stringContaining("Send the whole conversation"),
        details: { error_code: "thread_not_found" },
      },
    },
  ]);
});

test("with the vendor's tool runner the model sees the whole conversation each time", async () => {
  const model = scriptedModel(({ messages }) =>
    messages.some(({ role }) => role === "tool")
      ? [{ say: `It says ${JSON.stringify(messages.at(-1)?.content)}.` }]
      : [{ call: "read_file", with: { path: "a.ts" } }],
  );
  await using server = await testServer(model);
  const client = new Anthropic({ apiKey: testToken, baseURL: server.url, maxRetries: 0 });
  const input = { type: "object" as const, properties: { path: { type: "string" } } };
  const read = { name: "read_file", description: "Reads.", input_schema: input };
  const last = await client.beta.messages.toolRunner({
    model: "claude-test",
    max_tokens: 99,
    messages: [{ role: "user", content: "What does a.ts say?" }],
    tools: [{ ...read, run: async () => "RESULT-42", parse: (given: unknown) => given }],
  });
  expect(JSON.stringify(last.content)).toContain("RESULT-42");
  const roles = model.prompts.map(({ messages }) => messages.map(({ role }) => role));
  expect(roles).toEqual([["user"], ["user", "assistant", "tool"]]);
});
