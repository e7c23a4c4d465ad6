/** Saves a whole session as a file that the user names. */

import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as vscode from "vscode";
import { errorMessage } from "../../../../../src/base/expected.ts";
import type { FeatureContext } from "../feature-context.ts";

export async function saveSession({ core }: Pick<FeatureContext, "core">, session: string): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    defaultUri: usualPlace(`toolwright-session-${session}.jsonl`),
    filters: { [vscode.l10n.t("Sessions")]: ["jsonl"] },
  });
  if (!target) return;
  try {
    const { client } = await core();
    await pipeline(Readable.from(client.export(session)), createWriteStream(target.fsPath));
  } catch (error) {
    const because = errorMessage(error);
    void vscode.window.showErrorMessage(vscode.l10n.t("The session was not saved: {0}", because));
  }
}

function usualPlace(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(name);
}
