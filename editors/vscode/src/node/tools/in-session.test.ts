/** The editor's tools in the sessions of a real gateway, as the extension lends them. */

import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { connect, type Entry } from "../../../../../src/client.ts";
import { scriptedModel } from "../../../../../src/providers/scripted-model.ts";
import { testGateway } from "../../../../../src/testing/gateway.ts";
import { testEditor } from "../../common/tools/testing-powers.ts";
import { startToolServer } from "./tool-server.ts";

test("the problems that an edit makes in the editor are in its result, before the model's next answer", async () => {
  const editor = testEditor();
  const model = scriptedModel([
    [{ call: "edit_file", with: { path: "a.flow", edits: [{ old: "1", new: "one" }] } }],
    [{ say: "Broken, as the editor says." }],
  ]);
  const gateway = await testGateway(model, {
    mode: "accept-edits",
    files: { "a.flow": "one = 1\n" },
  });
  const server = await startToolServer(editor, { version: "0", log: () => undefined });
  const client = connect({ url: gateway.url, token: gateway.token, WebSocket });
  const live = client.live();
  onTestFinished(async () => {
    live.close();
    await gateway.close();
    await server.close();
    await gateway.test.remove();
  });
  await client.lendToolServers({
    workspace: gateway.test.workspace,
    servers: { editor: server.lent },
  });
  const problem = { severity: "error", line: 1, column: 7, message: "No number.", source: "ts" } as const;
  const { id } = await client.create({ content: [{ type: "text", text: "Break it." }] });
  const facts: Entry[] = [];
  for await (const event of live.follow(id, { person: true })) {
    if ("seq" in event) facts.push(event);
    if (event.type === "call-start") editor.finds([{ path: "a.flow", problems: [problem] }]);
    if (event.type === "turn-end") break;
  }
  expect(editor.looks).toEqual([["a.flow"], ["a.flow"]]);
  const result = facts.find(({ type }) => type === "result");
  expect(JSON.stringify(result)).toContain("a.flow:1:7 error: No number. (ts)");
  expect(JSON.stringify(model.prompts[1]?.messages)).toContain("No number.");
});
