/** The extension's entry: registers everything and starts nothing. */

import "../common/older-platforms.ts";
import * as vscode from "vscode";
import { translateWith } from "../common/translate.ts";
import { registerApprovals } from "./approvals/register-approvals.ts";
import { registerChat } from "./chat/register-chat.ts";
import { coreService } from "./core-service.ts";
import type { FeatureContext } from "./feature-context.ts";
import { registerLanguageModel } from "./language-model/register-language-model.ts";
import { offerRestart } from "./restart-offer.ts";
import { registerReview } from "./review/register-review.ts";
import { registerTerminalCommands } from "./terminal-commands.ts";
import { registerTerminal } from "./terminal/register-terminal.ts";
import { registerTools } from "./tools/register-tools.ts";

/** Each feature, in the order in which they are registered. */
const features: readonly ((context: FeatureContext) => vscode.Disposable)[] = [
  registerTerminalCommands,
  registerReview,
  registerTools,
  registerLanguageModel,
  registerTerminal,
];

export function activate(extension: vscode.ExtensionContext): void {
  translateWith(vscode.l10n.t);
  const log = vscode.window.createOutputChannel("Toolwright", { log: true });
  const core = coreService(extension, log);
  const chat = registerChat(core);
  extension.subscriptions.push(
    log,
    core,
    chat,
    offerRestart(core),
    registerApprovals(core.context, chat),
    ...features.map((register) => register(core.context)),
    vscode.commands.registerCommand("toolwright.showLog", () => log.show()),
    vscode.commands.registerCommand("toolwright.restartCore", () => core.stop()),
  );
}
