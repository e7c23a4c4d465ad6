/** What the approvals know of the chat view: whether a person sees it, and how to lead there. */

import * as vscode from "vscode";

export type ChatPresence = {
  isVisible: () => boolean;
  onDidChangeVisibility: vscode.Event<void>;
  /** Shows the session, with the focus: only on request of a person. */
  show: (session: string) => Thenable<unknown>;
  /** On the view's icon. */
  setBadge: (badge: vscode.ViewBadge | undefined) => void;
};

/** Where nothing is known of the view: whoever waits is told so. The view's own status tells how many wait. */
export const unseenChat: ChatPresence = {
  isVisible: () => false,
  onDidChangeVisibility: () => new vscode.Disposable(() => undefined),
  show: (session) => vscode.commands.executeCommand("toolwright.showSession", session),
  setBadge: () => undefined,
};
