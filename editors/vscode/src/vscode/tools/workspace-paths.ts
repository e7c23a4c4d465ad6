/** Paths as the core writes them, and the editor's addresses for them. */

import * as vscode from "vscode";

/** Relative to the first folder with `/`, absolute outside of it; undefined for what is no file. */
export function pathOf(uri: vscode.Uri): string | undefined {
  if (uri.scheme !== "file") return undefined;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) return uri.fsPath;
  const root = folder.uri.path.endsWith("/") ? folder.uri.path : `${folder.uri.path}/`;
  return uri.path.startsWith(root) ? uri.path.slice(root.length) : uri.fsPath;
}

export function uriOf(path: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const isAbsolute = path.startsWith("/") || /^[a-z]:[\\/]/iu.test(path);
  return folder && !isAbsolute ? vscode.Uri.joinPath(folder.uri, path) : vscode.Uri.file(path);
}

/** The folder that sessions of this window work in. */
export const workspaceFolder = (): string | undefined =>
  vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri.fsPath;
