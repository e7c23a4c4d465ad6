/** Requests in which nobody has said anything yet: instructions alone, a blank message, a result of no call. */

import { expect, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { askServer, testServer } from "./testing/server.ts";

const goOn = [{ role: "user", content: [{ type: "text", text: "Go on." }] }];

test("instructions without a message are answered in every format, as the vendors do", async () => {
  const model = scriptedModel(() => [{ say: "Hello." }]);
  await using server = await testServer(model);
  const system = { role: "system", content: "Greet." };
  const asked: [string, object][] = [
    ["/v1/chat/completions", { model: "m", messages: [system] }],
    ["/v1/chat/completions", { model: "m", messages: [{ ...system, role: "developer" }] }],
    ["/v1/responses", { model: "m", input: [{ ...system, role: "developer" }] }],
    ["/v1/responses", { model: "m", instructions: "Greet.", input: [] }],
    ["/v1/messages", { model: "m", max_tokens: 9, system: "Greet.", messages: [] }],
    ["/api/chat", { model: "m", stream: false, messages: [system] }],
    [
      "/v1beta/models/m:generateContent",
      { systemInstruction: { parts: [{ text: "Greet." }] }, contents: [] },
    ],
    ["/v2/chat", { model: "m", messages: [system] }],
  ];
  for (const [path, body] of asked) {
    const reply = await askServer(server, path, { body });
    expect([path, reply.status, await reply.text()]).toEqual([path, 200, expect.stringContaining("Hello.")]);
    expect(model.prompts.at(-1)).toMatchObject({ system: "Greet.", messages: goOn });
  }
  expect(model.prompts).toHaveLength(asked.length);
});

test("a conversation of which nothing can be sent is not sent empty", async () => {
  const model = scriptedModel(() => [{ say: "Hello." }]);
  await using server = await testServer(model);
  const result = { role: "tool", tool_call_id: "call_1", content: "sunny" };
  for (const message of [{ role: "user", content: " " }, result]) {
    const body = { model: "m", messages: [message] };
    expect((await askServer(server, "/v1/chat/completions", { body })).status).toBe(200);
    expect(model.prompts.at(-1)?.messages).toEqual(goOn);
  }
});
