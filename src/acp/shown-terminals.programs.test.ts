import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { editorStage, newSession, prompt } from "../testing/editor.ts";

const capabilities = { _meta: { terminal_output: true } };

/** What a client that shows terminals does: it makes one of the first update, and adds to it what later ones bring. */
function terminalIn(updates: readonly SessionUpdate[]) {
  const calls = updates.flatMap((one) =>
    one.sessionUpdate === "tool_call" || one.sessionUpdate === "tool_call_update" ? [one] : [],
  );
  const first = calls.find(({ sessionUpdate }) => sessionUpdate === "tool_call");
  const outputs = calls.flatMap(({ _meta }) =>
    _meta?.["terminal_output"] ? [_meta["terminal_output"]] : [],
  );
  return {
    info: first?._meta?.["terminal_info"],
    text: outputs.map((one) => (one as { data: string }).data).join(""),
    content: calls.at(-1)?.content,
    exit: calls.at(-1)?._meta?.["terminal_exit"],
  };
}

const command = "printf 'one\\ntwo\\n'; exit 3";

test("a command is shown as a terminal by a client that can, live and when its session is loaded", async () => {
  const stage = await editorStage([
    [{ call: "run_command", with: { command }, id: "c1" }],
    [{ say: "Done." }],
  ]);
  const editor = await stage.connect({ capabilities, permit: () => "once" });
  const session = await newSession(editor, stage);
  await prompt(editor, session, "run it");
  const shown = {
    info: { terminal_id: "c1", cwd: stage.workspace },
    text: "one\ntwo\nExit code: 3\n",
    content: [{ type: "terminal", terminalId: "c1" }],
    exit: { terminal_id: "c1", exit_code: 3, signal: null },
  };
  expect(terminalIn(editor.updates)).toEqual(shown);
  await editor.disconnect();

  const later = await stage.connect({ capabilities });
  await later.agent.request("session/load", { sessionId: session, cwd: stage.workspace, mcpServers: [] });
  expect(terminalIn(later.updates)).toEqual(shown);
});

test("nobody else is told of terminals, and a command that was refused has none", async () => {
  const script = (line: string) => [
    [{ call: "run_command", with: { command: line }, id: "c1" }],
    [{ say: "Done." }],
  ];
  const plain = await editorStage(script(command));
  const editor = await plain.connect({ permit: () => "once" });
  await prompt(editor, await newSession(editor, plain), "run it");
  expect(JSON.stringify(editor.updates)).not.toMatch(/terminal_|"terminal"/u);
  expect(JSON.stringify(editor.updates)).toContain("one\\ntwo");

  const refused = await editorStage(script("npm publish"));
  const other = await refused.connect({ capabilities, permit: () => "deny" });
  await prompt(other, await newSession(other, refused), "run it");
  expect(terminalIn(other.updates)).toMatchObject({ text: "", content: expect.any(Array) });
  expect(JSON.stringify(other.updates)).not.toContain('"terminal"');
});
