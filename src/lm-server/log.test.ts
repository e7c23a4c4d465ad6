/** How a reply and its line in the server's log refer to each other. */

import { expect, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { askServer, testServer } from "./testing/server.ts";

test("every reply has the id of its log line in the headers that the vendors' clients read", async () => {
  await using server = await testServer(scriptedModel(() => [{ say: "Hi." }]));
  const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi." }] };
  const replies = [
    await askServer(server, "/v1/messages", { body }),
    await askServer(server, "/v1/messages", { body: { ...body, stream: true } }),
    await askServer(server, "/v1/chat/completions", { body: {} }),
    await askServer(server, "/v1/models", { headers: { authorization: "" } }),
  ];
  for (const reply of replies) await reply.text();
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 400, 401]);
  const ids = server.lines.map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  for (const name of ["request-id", "x-request-id"])
    expect(replies.map(({ headers }) => headers.get(name))).toEqual(ids);
});
