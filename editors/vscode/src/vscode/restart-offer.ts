/** Offers a restart when settings were changed that a core only reads when it begins. */

import * as vscode from "vscode";
import type { CoreService } from "./core-service.ts";

/** One offer at a time, however many settings are changed. */
export function offerRestart(core: CoreService): vscode.Disposable {
  let isOffered = false;
  const offer = async (): Promise<void> => {
    if (isOffered || !core.isOutdated()) return;
    isOffered = true;
    const restart = vscode.l10n.t("Restart");
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t(
        "Toolwright takes up its changed settings when it is restarted. A request that runs is interrupted.",
      ),
      restart,
    );
    isOffered = false;
    if (chosen === restart) core.stop();
  };
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("toolwright")) void offer();
  });
}
