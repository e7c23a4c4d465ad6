/** Lends this window's editor to the sessions of its folder, as long as a core runs. */

import * as vscode from "vscode";
import { errorMessage } from "../../../../../src/base/expected.ts";
import { terminalToolName } from "../../common/tools/terminal-tool-name.ts";
import type { EditorToolServer } from "../../node/tools/tool-server.ts";
import type { Core, FeatureContext } from "../feature-context.ts";
import { isTerminalLent, onTerminalLent } from "../terminal/terminal-settings.ts";
import { UserTerminals } from "../terminal/user-terminals.ts";
import { Examining } from "./examining.ts";
import { ProposedTexts } from "./proposed-texts.ts";
import { vscodePowers } from "./vscode-powers.ts";
import { workspaceFolder } from "./workspace-paths.ts";

/** The server starts with the first core, not with the extension. */
export function registerTools(context: FeatureContext): vscode.Disposable {
  const { extension, log } = context;
  const parts = { proposed: new ProposedTexts(), examining: new Examining(), terminals: new UserTerminals() };
  const version = String(extension.extension.packageJSON.version);
  let server: Promise<EditorToolServer> | undefined;
  const start = async (): Promise<EditorToolServer> => {
    const { startToolServer } = await import("../../node/tools/tool-server.ts"); // large, and no matter without a core
    return startToolServer(vscodePowers(parts), {
      version,
      log: (problem) => log.warn(problem),
    });
  };
  const lend = async (core: Core): Promise<void> => {
    const workspace = workspaceFolder();
    if (workspace === undefined || !vscode.workspace.isTrusted) return;
    server ??= start();
    const { lent } = await server;
    const withoutTools = isTerminalLent() ? [] : [terminalToolName];
    await core.client.lendToolServers({ workspace, servers: { vscode: { ...lent, withoutTools } } });
  };
  const told = (core: Core): void =>
    void lend(core).catch((error: unknown) => log.warn(`The editor's tools: ${errorMessage(error)}`));
  const toldAgain = (): void => {
    const running = context.coreIfRunning();
    if (running) told(running);
  };
  toldAgain();
  return vscode.Disposable.from(
    parts.proposed.register(),
    parts.examining,
    parts.terminals,
    context.onCore(told),
    onTerminalLent(toldAgain),
    new vscode.Disposable(() => void server?.then((one) => one.close())),
  );
}
