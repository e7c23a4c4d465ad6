/**
 * Asks VS Code's TypeScript server about files. By itself it checks only those that are open in a tab, and never says
 * that it is done; asked, it answers for any file at once.
 */

import * as vscode from "vscode";
import type { EditorProblem } from "../../common/tools/editor-powers.ts";
import { typescriptProblems } from "../../common/tools/typescript-answer.ts";

const extensionId = "vscode.typescript-language-features";
const requestCommand = "typescript.tsserverRequest";
const questions = ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"];
const languages: ReadonlySet<string> = new Set([
  "typescript",
  "typescriptreact",
  "javascript",
  "javascriptreact",
]);
/** Its start included, in milliseconds. */
const answerMs = 12_000;

/** Undefined: it is not TypeScript's, or the server cannot be asked. */
export async function typescriptChecks(
  { languageId, uri }: vscode.TextDocument,
  signal: AbortSignal,
): Promise<EditorProblem[] | undefined> {
  const extension = vscode.extensions.getExtension(extensionId);
  if (!languages.has(languageId) || !extension) return undefined;
  try {
    await extension.activate();
    const answers = await Promise.all(questions.map((question) => ask(question, uri, signal)));
    const found = answers.flatMap((answer) => typescriptProblems(answer) ?? []);
    return answers.some((answer) => typescriptProblems(answer) === undefined) ? undefined : found;
  } catch {
    return undefined; // it has no such command, or broke: what it says by itself counts then
  }
}

async function ask(question: string, file: vscode.Uri, signal: AbortSignal): Promise<unknown> {
  const asking = vscode.commands.executeCommand(requestCommand, question, { file });
  const late = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  late.addEventListener("abort", () => resolve(undefined), { once: true });
  return Promise.race([asking, promise]);
}
