/** The status bar item, and the badge of the hidden view: what works and what waits for the user. */

import * as vscode from "vscode";
import { type FolderStanding, standingOf } from "../../common/chat/standing.ts";
import { folderOfWindow } from "../core-settings.ts";
import type { Core, FeatureContext } from "../feature-context.ts";

/** Of the newest sessions. */
const mostWatched = 50;

export function showStanding(
  { coreIfRunning, onCore }: Pick<FeatureContext, "coreIfRunning" | "onCore">,
  showBadge: (badge: vscode.ViewBadge | undefined) => void,
): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("toolwright.standing", vscode.StatusBarAlignment.Right, 0);
  item.name = "Toolwright";
  item.command = "toolwright.focusChat";
  const show = (standing: FolderStanding): void => {
    item.text = textOf(standing);
    item.tooltip = tooltipOf(standing);
    item.backgroundColor =
      standing.waiting > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    showBadge(standing.waiting > 0 ? { value: standing.waiting, tooltip: tooltipOf(standing) } : undefined);
  };
  const follow = async ({ live }: Core): Promise<void> => {
    for await (const { sessions } of live.watch(mostWatched))
      show(standingOf(sessions, folderOfWindow() ?? ""));
    show(quiet); // that core is gone
  };
  const followed = (core: Core): void => void follow(core).catch(() => show(quiet));
  show(quiet);
  item.show();
  const running = coreIfRunning();
  if (running) followed(running);
  return vscode.Disposable.from(item, onCore(followed));
}

const quiet: FolderStanding = { waiting: 0, working: 0 };

function textOf({ waiting, working }: FolderStanding): string {
  if (waiting > 0) return `$(bell-dot) Toolwright`;
  return working > 0 ? `$(sync~spin) Toolwright` : `$(tools) Toolwright`;
}

function tooltipOf({ waiting, working }: FolderStanding): string {
  if (waiting > 0) return vscode.l10n.t("Toolwright waits for your answer ({0})", waiting);
  if (working > 0) return vscode.l10n.t("Toolwright is working ({0})", working);
  return vscode.l10n.t("Open the chat of Toolwright");
}
