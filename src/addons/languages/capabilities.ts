/** The client capabilities that we declare, and the parsed capabilities of a server. */

import type { InitializeParams } from "vscode-languageserver-protocol";
import { isObject } from "../../base/json.ts";
import type { Unit } from "./positions.ts";

export type Capabilities = {
  unit: Unit;
  /** Diagnostics are pulled; otherwise the server pushes them. */
  answersProblems: boolean;
  /** Diagnostics of the whole workspace can be pulled at once. */
  answersAllProblems: boolean;
  definition: boolean;
  references: boolean;
  rename: boolean;
  symbols: boolean;
  /** The names of the server's own commands. */
  commands: readonly unknown[];
};

export const ours: InitializeParams["capabilities"] = {
  general: { positionEncodings: ["utf-16"] },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true, relatedInformation: false },
    diagnostic: { dynamicRegistration: false, relatedDocumentSupport: false },
    definition: { linkSupport: false },
    references: {},
    rename: { prepareSupport: false },
  },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: {},
    didChangeWatchedFiles: { dynamicRegistration: true },
    symbol: {},
    applyEdit: false,
    workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename", "delete"] },
    diagnostics: { refreshSupport: true },
  },
  window: { workDoneProgress: true },
  experimental: { serverStatusNotification: true },
};

/** Parses the answer to `initialize`; anything not declared counts as unsupported. */
export function capabilitiesIn(answer: unknown): Capabilities {
  const said = isObject(answer) && isObject(answer["capabilities"]) ? answer["capabilities"] : {};
  const has = (name: string): boolean =>
    said[name] !== undefined && said[name] !== null && said[name] !== false;
  const problems = said["diagnosticProvider"];
  const commands = isObject(said["executeCommandProvider"]) ? said["executeCommandProvider"]["commands"] : [];
  return {
    unit: unitIn(said["positionEncoding"] ?? (isObject(answer) ? answer["offsetEncoding"] : undefined)),
    answersProblems: isObject(problems),
    answersAllProblems: isObject(problems) && problems["workspaceDiagnostics"] === true,
    definition: has("definitionProvider"),
    references: has("referencesProvider"),
    rename: has("renameProvider"),
    symbols: has("workspaceSymbolProvider"),
    commands: Array.isArray(commands) ? commands : [],
  };
}

function unitIn(written: unknown): Unit {
  return written === "utf-8" || written === "utf-32" ? written : "utf-16";
}
