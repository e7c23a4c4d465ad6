/** VS Code as a client of a model that can only write text, through the installed extension. */

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hermes } from "../../src/dialects/hermes.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { type ServedModel, serveModel } from "../../src/testing/scripted-server.ts";
import { textOnly } from "../../src/testing/text-only.ts";
import { startVSCode, type VSCode } from "./vscode.ts";

const vsix = join(import.meta.dirname, "../../editors/vscode/dist/toolwright-0.1.0.vsix");

let ollama: ServedModel;
let editor: VSCode;
beforeAll(async () => {
  const inner = scriptedModel([[{ call: "list", with: { folder: "src" } }], [{ say: "There is total.ts." }]]);
  ollama = await serveModel(textOnly(inner, { dialect: hermes }), { capabilities: ["completion"] });
  editor = await startVSCode({ env: { OLLAMA_HOST: ollama.url } });
  await editor.install(vsix);
});
afterAll(async () => {
  await editor.close();
  await ollama.close();
});

test("another extension asks the model, which calls its tool and reads the result", async () => {
  const workspace = await editor.newWorkspace({ "src/total.ts": "export const total = 3;\n" });
  const module = join(import.meta.dirname, "hosted", "language-model.ts");
  const { passed, failed } = await editor.runInHost(module, workspace);
  expect(failed).toEqual([]);
  expect(passed).toHaveLength(2);
});
