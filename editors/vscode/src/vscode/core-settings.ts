/** How the core of this window begins, as the settings say. */

import { join } from "node:path";
import * as vscode from "vscode";
import type { CoreChoice } from "../node/begin-core.ts";
import type { CoreEndpoint } from "../node/core-process.ts";

/** Setting → flag, from the table of options; inlined by build.ts. */
declare const TOOLWRIGHT_OPTION_FLAGS: Readonly<Record<string, string>>;

type WindowParts = { folder: string; log: vscode.LogOutputChannel };

export function coreSettings(extension: vscode.ExtensionContext, { folder, log }: WindowParts): CoreChoice {
  const settings = vscode.workspace.getConfiguration("toolwright");
  const node = settings.get<string>("node", "").trim();
  return {
    program: programOf(extension),
    options: optionsIn(settings),
    folder,
    env: process.env,
    log: (line) => log.info(line),
    attach: settings.get<boolean>("attach", true),
    namedNode: node === "" ? undefined : node,
    ownNode: { path: process.execPath, version: process.versions.node },
  };
}

/** What of them a running core depends on: it has changed when this has. */
export const settingsOfCore = (
  { options, attach, namedNode }: CoreChoice,
  { isOurs }: Pick<CoreEndpoint, "isOurs">,
): string => JSON.stringify(isOurs ? [attach, namedNode, options] : [attach]);

/** The built command line inside the extension. */
const programOf = ({ extensionPath }: vscode.ExtensionContext): string =>
  join(extensionPath, "core", "bin.cjs");

/** The folder that the core works in: the first one of the window. */
export const folderOfWindow = (): string | undefined =>
  vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri.fsPath;

/** What is set nowhere is left to the configuration of Toolwright itself. */
function optionsIn(settings: vscode.WorkspaceConfiguration): string[] {
  return Object.entries(TOOLWRIGHT_OPTION_FLAGS).flatMap(([name, flag]) => {
    const value: unknown = settings.get(name);
    return isGiven(value) ? [`--${flag}`, String(value)] : [];
  });
}

const isGiven = (value: unknown): value is string | number =>
  (typeof value === "string" && value.trim() !== "") || typeof value === "number";
