/** VS Code's interface for models of extensions, which is newer than our oldest VS Code: so it is looked for. */

import * as vscode from "vscode";
import type { ModelRow } from "../../common/language-model/model-rows.ts";

/** `role` counts as `LanguageModelChatMessageRole`; `content` holds parts of several classes. */
export type RequestMessage = { role: number; content: readonly unknown[] | string };

export type ResponseOptions = {
  tools?: readonly vscode.LanguageModelChatTool[];
  toolMode?: vscode.LanguageModelChatToolMode;
  modelOptions?: Readonly<Record<string, unknown>>;
};

type ResponsePart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

export type ChatModelProvider = {
  onDidChangeLanguageModelChatInformation: vscode.Event<void>;
  provideLanguageModelChatInformation(
    options: { silent: boolean },
    token: vscode.CancellationToken,
  ): Promise<ModelRow[]>;
  provideLanguageModelChatResponse(
    model: ModelRow,
    messages: readonly RequestMessage[],
    options: ResponseOptions,
    progress: vscode.Progress<ResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void>;
  provideTokenCount(
    model: ModelRow,
    text: string | RequestMessage,
    token: vscode.CancellationToken,
  ): Promise<number>;
};

/** Does nothing where VS Code does not have it yet (before 1.104). */
export function registerChatModels(vendor: string, provider: ChatModelProvider): vscode.Disposable {
  const { lm } = vscode;
  return takesModels(lm)
    ? lm.registerLanguageModelChatProvider(vendor, provider)
    : new vscode.Disposable(() => undefined);
}

type TakesModels = {
  registerLanguageModelChatProvider(vendor: string, provider: ChatModelProvider): vscode.Disposable;
};

const takesModels = (lm: object): lm is TakesModels =>
  "registerLanguageModelChatProvider" in lm && typeof lm.registerLanguageModelChatProvider === "function";
