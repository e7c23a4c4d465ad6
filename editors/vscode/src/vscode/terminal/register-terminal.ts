/** Shows the commands of this folder's sessions in terminals, and a command that brings the newest to the front. */

import * as vscode from "vscode";
import type { Core, FeatureContext } from "../feature-context.ts";
import { workspaceFolder } from "../tools/workspace-paths.ts";
import { MirroredSessions } from "./mirrored-sessions.ts";
import { isMirrorWanted } from "./terminal-settings.ts";

const showCommand = "toolwright.showTerminal";

export function registerTerminal(context: FeatureContext): vscode.Disposable {
  let mirrored: MirroredSessions | undefined;
  const begin = (core: Core): void => {
    mirrored?.dispose();
    const workspace = workspaceFolder();
    mirrored = workspace === undefined ? undefined : new MirroredSessions(core, setupFor(workspace, context));
  };
  const running = context.coreIfRunning();
  if (running) begin(running);
  return vscode.Disposable.from(
    context.onCore(begin),
    vscode.commands.registerCommand(showCommand, async () => {
      if (mirrored?.showNewest() === true) return;
      await vscode.window.showInformationMessage(vscode.l10n.t("Toolwright has run no command here yet."));
    }),
    new vscode.Disposable(() => mirrored?.dispose()),
  );
}

const setupFor = (folder: string, { log }: FeatureContext) => ({
  folder,
  log,
  isWanted: isMirrorWanted,
});
