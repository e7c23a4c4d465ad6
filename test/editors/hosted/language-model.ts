/** Any extension's view of Toolwright's models: run by `language-model.test.ts`, with the extension installed. */

import { deepEqual, equal, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { test } from "../in-host.ts";

export { run } from "../in-host.ts";

/** Far more than anything takes. */
const patienceMs = 60_000;

test("its models are listed once its core has run, and one without tools calls another extension's tool", async () => {
  deepEqual(await vscode.lm.selectChatModels({ vendor: "toolwright" }), []);
  await vscode.commands.executeCommand("toolwright.focusChat");
  const model = await listed();
  equal(model.id, "ollama/scripted/model");
  ok((await model.countTokens("total of the order")) > 0);
  const question = vscode.LanguageModelChatMessage.User("What is in src?");
  const tools = [{ name: "list", description: "Lists a folder.", inputSchema: { type: "object" } }];
  const [call] = (await answer(model, [question], tools)).flatMap((part) =>
    part instanceof vscode.LanguageModelToolCallPart ? [part] : [],
  );
  ok(call);
  deepEqual([call.name, call.input], ["list", { folder: "src" }]);
  const result = new vscode.LanguageModelToolResultPart(call.callId, [
    new vscode.LanguageModelTextPart("total.ts"),
  ]);
  const turns = [
    question,
    vscode.LanguageModelChatMessage.Assistant([call]),
    vscode.LanguageModelChatMessage.User([result]),
  ];
  const said = (await answer(model, turns, tools)).map((part) =>
    part instanceof vscode.LanguageModelTextPart ? part.value : "",
  );
  equal(said.join(""), "There is total.ts.");
});

test("VS Code knows its tool", () => {
  ok(vscode.lm.tools.some(({ name }) => name === "toolwright_run_task"));
});

async function listed(): Promise<vscode.LanguageModelChat> {
  for (const end = Date.now() + patienceMs; Date.now() < end;) {
    const [model] = await vscode.lm.selectChatModels({ vendor: "toolwright" });
    if (model) return model;
    await new Promise((resolve) => setTimeout(resolve, 200)); // VS Code tells no change of its models by itself
  }
  throw new Error("No model is listed.");
}

async function answer(
  model: vscode.LanguageModelChat,
  turns: vscode.LanguageModelChatMessage[],
  tools: vscode.LanguageModelChatTool[],
): Promise<unknown[]> {
  const { stream } = await model.sendRequest(turns, { tools });
  const parts: unknown[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}
