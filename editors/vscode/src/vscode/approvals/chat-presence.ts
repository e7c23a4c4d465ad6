/** What the approvals know of the chat view: whether a person sees it, and how to lead there. */

import * as vscode from "vscode";

export type ChatPresence = {
  isVisible: () => boolean;
  onDidChangeVisibility: vscode.Event<void>;
  /** Shows the session, with the focus: only on request of a person. */
  show: (session: string) => Thenable<unknown>;
};

/** Where nothing is known of the view: whatever waits is told. */
export const unseenChat: ChatPresence = {
  isVisible: () => false,
  onDidChangeVisibility: () => new vscode.Disposable(() => undefined),
  show: (session) => vscode.commands.executeCommand("toolwright.showSession", session),
};
