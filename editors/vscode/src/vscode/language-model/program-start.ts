/** The command line of this extension, for programs besides the core. */

import * as vscode from "vscode";
import type { Expected } from "../../../../../src/base/expected.ts";
import type { ProgramStart } from "../../node/language-model/lm-server-process.ts";
import { nodeProgram } from "../../node/node-program.ts";
import { coreSettings } from "../core-settings.ts";
import type { FeatureContext } from "../feature-context.ts";

/** It works in the extension's own directory: what a folder brings along is of no concern to models. */
export async function programStart({ extension, log }: FeatureContext): Promise<Expected<ProgramStart>> {
  const directory = await ownDirectory(extension);
  const { program, namedNode, ownNode, env } = coreSettings(extension, { folder: directory, log });
  const node = await nodeProgram({ named: namedNode, own: ownNode });
  if (!node.ok) return node;
  const { path } = node.value;
  return { ok: true, value: { path, words: [program], env: { ...env, ...node.value.env }, directory } };
}

async function ownDirectory({ globalStorageUri }: vscode.ExtensionContext): Promise<string> {
  await vscode.workspace.fs.createDirectory(globalStorageUri);
  return globalStorageUri.fsPath;
}
