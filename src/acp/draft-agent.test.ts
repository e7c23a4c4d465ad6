import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as draft from "@agentclientprotocol/sdk/experimental/v2";
import { expect, onTestFinished, test } from "vitest";
import type { ModelScript } from "../providers/scripted-model.ts";
import { checkedPair, editorStage } from "../testing/editor.ts";
import { connectDraftEditor } from "./draft-agent.ts";

/** The SDK's own client of the draft; every message of both directions is checked against the draft's schema. */
async function draftStage(script: ModelScript, files: Record<string, string> = {}) {
  const stage = await editorStage(script, { files });
  const { editor, agent, hangUp } = checkedPair("v2");
  const served = connectDraftEditor(stage.context, agent);
  const updates: draft.SessionUpdate[] = [];
  const asked: draft.RequestPermissionRequest[] = [];
  const app = draft.client({ name: "draft-editor" });
  app.onNotification("session/update", ({ params }) => void updates.push(params.update));
  app.onRequest("session/request_permission", ({ params }) => {
    asked.push(params);
    return { outcome: { outcome: "selected", optionId: "once" } };
  });
  app.onRequest("elicitation/create", () => ({ action: "accept", content: { answer: "2. blue" } }));
  const connection = app.connect(editor);
  onTestFinished(async () => {
    connection.close();
    hangUp();
    await served.closed;
  });
  await connection.agent.request("initialize", {
    protocolVersion: draft.PROTOCOL_VERSION,
    info: { name: "draft-editor", version: "0.0.0" },
    capabilities: { elicitation: { form: {} } },
  });
  const states = () => updates.flatMap((update) => (update.sessionUpdate === "state_update" ? [update] : []));
  const idle = () => expect.poll(() => states().at(-1)).toMatchObject({ state: "idle" });
  return { stage, agent: connection.agent, updates, asked, states, idle };
}

const edit = { path: "a.txt", edits: [{ old: "one", new: "two" }] };

test("the draft's own client has a change made, and hears the end of the turn as a state", async () => {
  const script = [[{ call: "edit_file", with: edit }], [{ say: "Done." }]];
  const { stage, agent, updates, asked, states, idle } = await draftStage(script, { "a.txt": "one\n" });
  const { sessionId, configOptions } = await agent.request("session/new", { cwd: stage.workspace });
  expect(configOptions).toMatchObject([
    { configId: "mode" },
    { configId: "model" },
    { configId: "reasoning", category: "thought_level" },
  ]);
  const prompt = [{ type: "text" as const, text: "change it" }];
  expect(await agent.request("session/prompt", { sessionId, prompt })).toMatchObject({
    messageId: expect.any(String),
  });
  await idle();
  expect(states()).toMatchObject([{ state: "running" }, { state: "idle", stopReason: "end_turn" }]);
  expect(asked).toMatchObject([{ title: "Edit a.txt", subject: { type: "tool_call" } }]);
  expect(await readFile(join(stage.workspace, "a.txt"), "utf8")).toBe("two\n");
  expect(JSON.stringify(updates)).toContain("-one\\n+two");
});

test("a session is resumed from its start, a question is a form, and a failed turn ends as an error", async () => {
  const choices = [
    { label: "red", detail: "like a rose" },
    { label: "blue", detail: "like the sky" },
  ];
  const question = { question: "Which colour?", choices };
  const { stage, agent, updates, states, idle } = await draftStage([
    [{ call: "ask_user", with: question }],
    [{ say: "Blue it is." }],
  ]);
  const { sessionId } = await agent.request("session/new", { cwd: stage.workspace });
  await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "paint" }] });
  await idle();
  expect(JSON.stringify(updates)).toContain("Blue it is.");
  updates.length = 0;
  await agent.request("session/resume", { sessionId, cwd: stage.workspace, replayFrom: { type: "start" } });
  expect(JSON.stringify(updates)).toContain("Blue it is.");
  expect(await agent.request("session/list", {})).toMatchObject({ sessions: [{ sessionId }] });
  await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "again" }] });
  await idle();
  expect(states().at(-1)).toMatchObject({
    stopReason: "error",
    error: { message: expect.stringContaining("script") },
  });
  const set = { sessionId, configId: "mode", type: "id", value: "plan" } as const;
  expect(await agent.request("session/set_config_option", set)).toMatchObject({
    configOptions: [{ configId: "mode", currentValue: "plan" }, {}, {}],
  });
});
