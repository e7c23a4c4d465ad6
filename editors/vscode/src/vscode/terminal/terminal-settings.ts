/** What the user wants of terminals. */

import * as vscode from "vscode";

const setting = <T>(name: string, usual: T): T =>
  vscode.workspace.getConfiguration("toolwright.terminal").get(name, usual);

/** Whether the commands of sessions are shown in a terminal. */
export const isMirrorWanted = (): boolean => setting("mirror", true);

const lentName = "runInMine";

/** Whether a session may ask to run something in a terminal of the user's own shell. */
export const isTerminalLent = (): boolean => setting(lentName, false);

export const onTerminalLent = (listener: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`toolwright.terminal.${lentName}`)) listener();
  });
