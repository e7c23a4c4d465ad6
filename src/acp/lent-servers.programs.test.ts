import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { editorStage, newSession, prompt } from "../testing/editor.ts";

const server = {
  name: "My tools!",
  command: process.execPath,
  args: [fileURLToPath(new URL("../addons/mcp/testing/server.ts", import.meta.url))],
  env: [{ name: "NOTHING", value: "${NOT_A_VARIABLE}" }],
};
const echo = { call: "mcp__editor-My_tools_-__echo", with: { words: "hello" } } as const;

test("tool servers that an editor names are there for the model, in a new session and in one that is opened again", async () => {
  const seen: string[] = [];
  const stage = await editorStage((given, round) => {
    seen.push(...given.tools.map(({ name }) => name).filter((name) => name.startsWith("mcp__")));
    const name = seen[0] ?? echo.call;
    return round % 2 === 1 ? [{ call: name, with: echo.with }] : [{ say: "Said." }];
  });
  const editor = await stage.connect({ permit: () => "once" });
  const sessionId = await newSession(editor, stage, [server]);
  await prompt(editor, sessionId, "say hello");
  expect(seen[0]).toMatch(/^mcp__editor-My_tools_?__echo$/u);
  expect(JSON.stringify(editor.updates)).toContain("hello");
  await editor.disconnect();
  const again = await stage.connect({ permit: () => "once" });
  await again.agent.request("session/load", { sessionId, cwd: stage.workspace, mcpServers: [server] });
  await prompt(again, sessionId, "once more");
  const calls = again.updates.filter(({ sessionUpdate }) => sessionUpdate === "tool_call");
  expect(calls).toHaveLength(2);
  expect(again.updates.at(-1)).toMatchObject({ sessionUpdate: "session_info_update" });
});

test("without them a session has none of them", async () => {
  const seen: string[] = [];
  const stage = await editorStage((given) => {
    seen.push(...given.tools.map(({ name }) => name));
    return [{ say: "Nothing." }];
  });
  const editor = await stage.connect();
  await prompt(editor, await newSession(editor, stage), "what is there?");
  expect(seen.filter((name) => name.startsWith("mcp__"))).toEqual([]);
});

test("a tool server that does not start is told, and the session works without it", async () => {
  const stage = await editorStage([[{ say: "Anyway." }]]);
  const editor = await stage.connect({ capabilities: { session: { notices: {} } } });
  const broken = { ...server, command: "/nowhere/at-all" };
  const sessionId = await newSession(editor, stage, [broken]);
  expect(await prompt(editor, sessionId, "go")).toEqual({ stopReason: "end_turn" });
  expect(editor.updates).toContainEqual(
    expect.objectContaining({ sessionUpdate: "notice", title: expect.stringContaining("editor-My_tools_") }),
  );
});
