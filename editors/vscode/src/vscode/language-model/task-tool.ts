/** A tool for VS Code's own agent: a whole task for Toolwright, whose commands are contained and whose changes can be undone. */

import * as vscode from "vscode";
import { beginRequest } from "../../common/language-model/session-request.ts";
import { endWords, type TurnPiece } from "../../common/language-model/turn-words.ts";
import { inEnglishOnly } from "../../common/translate.ts";
import type { FeatureContext } from "../feature-context.ts";
import { workspaceFolder } from "../tools/workspace-paths.ts";
import { withSignal } from "../with-signal.ts";

const toolName = "toolwright_run_task";

/** Checked when it is called: a model wrote it. */
type TaskInput = { task?: unknown; session?: unknown };

export function registerTaskTool(context: FeatureContext): vscode.Disposable {
  return vscode.lm.registerTool<TaskInput>(toolName, {
    async prepareInvocation({ input: { task } }) {
      return {
        invocationMessage: vscode.l10n.t("Toolwright works on a task"),
        confirmationMessages: {
          title: vscode.l10n.t("Give this task to Toolwright?"),
          message: typeof task === "string" ? task : "",
        },
      };
    },
    invoke: ({ input }, token) => withSignal(token, (signal) => runTask(context, input, signal)),
  });
}

async function runTask(
  context: FeatureContext,
  { task, session }: TaskInput,
  signal: AbortSignal,
): Promise<vscode.LanguageModelToolResult> {
  const workspace = workspaceFolder();
  if (typeof task !== "string" || task.trim() === "")
    return said(inEnglishOnly("There is no task: say what is to be done."));
  if (workspace === undefined || !vscode.workspace.isTrusted)
    return said(inEnglishOnly("Toolwright works in a folder that is open and trusted; there is none."));
  const continued = typeof session === "string" ? session : undefined;
  const core = await context.core();
  const begun = await beginRequest(core, { workspace, session: continued, words: task }, signal);
  const pieces: TurnPiece[] = [];
  for await (const piece of begun.pieces) pieces.push(piece);
  return said(
    inEnglishOnly(`${reportOf(pieces)}\n\nTo continue, call ${toolName} with session ${begun.session}.`),
  );
}

const reportOf = (pieces: readonly TurnPiece[]): string =>
  pieces.flatMap((piece) => (piece.type === "end" ? [piece.end.text, endWords(piece.end)] : [])).join("\n");

const said = (text: string): vscode.LanguageModelToolResult =>
  new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
