/** The folders of this window, and the sessions and files that belong to them. */

import { realpathSync } from "node:fs";
import * as vscode from "vscode";
import type { SessionValue } from "../../../../src/client.ts";

/** Whether a session works in a folder of this window. */
export const isSessionHere = ({ workspace }: SessionValue): boolean => folderUri(workspace) !== undefined;

/** A file of a session; its folder as the window knows it, which may lead there through a link. */
export function fileUri(workspace: string, path: string): vscode.Uri {
  return vscode.Uri.joinPath(folderUri(workspace) ?? vscode.Uri.file(workspace), path);
}

function folderUri(workspace: string): vscode.Uri | undefined {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  const uris = folders.map(({ uri }) => uri);
  return (
    uris.find(({ fsPath }) => fsPath === workspace) ??
    uris.find(({ fsPath }) => realPath(fsPath) === workspace)
  );
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
