/** What runs in terminals of a real VS Code: commands that are mirrored there, and those that a person lets run in their shell. */

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { type ServedModel, serveModel } from "../../src/testing/scripted-server.ts";
import { builtExtension } from "./built-extension.ts";
import { startVSCode, type VSCode } from "./vscode.ts";

let editor: VSCode;
let ollama: ServedModel;
const model = scriptedModel(({ messages }) => {
  const last = JSON.stringify(messages.at(-1));
  if (last.includes("Watch it."))
    return [{ call: "run_command", with: { command: "echo ready; sleep 600" } }];
  if (last.includes("Log in."))
    return [
      { call: "mcp__vscode__run_in_my_terminal", with: { command: "cat <<'END'\nmy $HOME\nEND\n(exit 3)" } },
    ];
  return [{ say: last.includes("Exit code: 3") ? "The login failed." : "Still here." }];
});
beforeAll(async () => {
  ollama = await serveModel(model);
  editor = await startVSCode({
    env: { OLLAMA_HOST: ollama.url },
    settings: { "toolwright.mode": "trusted", "toolwright.terminal.runInMine": true },
  });
});
afterAll(async () => {
  await editor.close();
  await ollama.close();
});

test("A34: whatever a shell fails to tell of a command in its terminal, there is an answer", async () => {
  const module = join(import.meta.dirname, "hosted", "terminal.ts");
  const { passed, failed } = await editor.runInHost(module, await editor.newWorkspace());
  expect(failed).toEqual([]);
  expect(passed).toHaveLength(9);
});

test("A34: an endless program that is stopped in the chat ends in its terminal, and the conversation goes on; one for the user's shell is asked about, though nothing else is", async () => {
  await editor.install(await builtExtension());
  const window = await editor.open(await editor.newWorkspace());
  await window.command("Toolwright: Focus Chat");
  const chat = window.webview("toolwright.toolwright");
  const send = async (words: string): Promise<void> => {
    await chat.getByRole("textbox").first().fill(words);
    await chat.getByRole("textbox").first().press("Enter");
  };
  await send("Watch it.");
  await chat.getByText("ready", { exact: true }).first().waitFor();
  await window.command("Toolwright: Show What It Runs in a Terminal");
  await window.terminal.getByText("ready", { exact: true }).waitFor();
  await chat.getByRole("button", { name: "Stop" }).first().click();
  await window.terminal.getByText("Stopped by the user while it ran").waitFor();
  await window.picture("endless-program-interrupted");
  await send("Are you there?");
  await chat.getByText("Still here.", { exact: true }).waitFor();

  await send("Log in.");
  await chat.getByText("it runs in your own terminal").first().waitFor();
  await window.picture("asks-for-own-terminal");
  await chat.getByRole("button", { name: "once" }).first().click();
  await window.terminal.getByText("my $HOME", { exact: true }).last().waitFor();
  await chat.getByText("The login failed.", { exact: true }).waitFor();
  expect(JSON.stringify(model.prompts.at(-1)?.messages)).toContain("my $HOME\\n\\nExit code: 3");
  await window.picture("own-terminal");
});
