/** A command that lets VS Code ask a language-model server by itself, without this extension in between. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { type Expected, refuse } from "../../../../../src/base/expected.ts";
import { stateDirectory } from "../../../../../src/base/paths.ts";
import {
  type LmServerPlace,
  modelLimits,
  servedModels,
} from "../../common/language-model/lm-server-client.ts";
import { modelRow } from "../../common/language-model/model-rows.ts";

const command = "toolwright.useModelsInChat";
const usualUrl = "http://127.0.0.1:4143";
/** For the windows of all models together, in milliseconds. */
const limitsMs = 5_000;

export const registerEndpointCommand = ({ globalStorageUri }: vscode.ExtensionContext): vscode.Disposable =>
  vscode.commands.registerCommand(command, async () => {
    const url = await vscode.window.showInputBox({
      title: vscode.l10n.t("The address of a running `toolwright lm-server`"),
      value: usualUrl,
    });
    if (url === undefined) return;
    const file = vscode.Uri.joinPath(globalStorageUri, "..", "..", "chatLanguageModels.json");
    await report(await writeEntry(url.trim().replace(/\/+$/u, ""), file), file);
  });

async function report(written: Expected<readonly string[]>, file: vscode.Uri): Promise<void> {
  if (!written.ok) {
    await vscode.window.showErrorMessage(written.problem);
    return;
  }
  const [reload, open] = [vscode.l10n.t("Reload the Window"), vscode.l10n.t("Show the File")];
  // It reads the file when a window opens.
  const words = vscode.l10n.t(
    "VS Code's chat can ask these models of Toolwright once the window is reloaded: {0}. The file holds the server's key.",
    written.value.join(", "),
  );
  const chosen = await vscode.window.showInformationMessage(words, reload, open);
  if (chosen === reload) await vscode.commands.executeCommand("workbench.action.reloadWindow");
  if (chosen === open) await vscode.window.showTextDocument(file);
}

/** The names of the models. */
async function writeEntry(url: string, file: vscode.Uri): Promise<Expected<readonly string[]>> {
  const token = await readFile(join(stateDirectory(process.env), "lm-server-token"), "utf8").catch(() => "");
  const place: LmServerPlace = { url, token: process.env["TOOLWRIGHT_LM_TOKEN"] ?? token.trim() };
  const names = await servedModels(place).catch(() => undefined);
  if (names === undefined)
    return refuse(
      vscode.l10n.t("No language-model server answers at {0}: start `toolwright lm-server`.", url),
    );
  const signal = AbortSignal.timeout(limitsMs);
  const models = await Promise.all(
    names.map(async (name) => modelRow(name, await modelLimits(place, name, signal).catch(() => undefined))),
  );
  const known = await vscode.workspace.fs.readFile(file).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => "",
  );
  const { withEndpoint } = await import("../../common/language-model/endpoint-file.ts");
  const text = withEndpoint(known, { base: `${url}/k/${place.token}`, models });
  if (!text.ok) return text;
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text.value));
  return { ok: true, value: names };
}
