/** `@toolwright` in VS Code's own chat: each of its conversations is a session, with Toolwright's tools and rules. */

import * as vscode from "vscode";
import { isObject } from "../../../../../src/base/json.ts";
import { beginRequest } from "../../common/language-model/session-request.ts";
import { endWords, type TurnPiece } from "../../common/language-model/turn-words.ts";
import { inEnglishOnly } from "../../common/translate.ts";
import type { FeatureContext } from "../feature-context.ts";
import { pathOf, workspaceFolder } from "../tools/workspace-paths.ts";
import { withSignal } from "../with-signal.ts";

const participantId = "toolwright.agent";
/** Where questions are answered. */
const showToolwright = "toolwright.focusChat";

export function registerParticipant(context: FeatureContext): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(
    participantId,
    async (request, { history }, response, token) => {
      const workspace = workspaceFolder();
      if (workspace === undefined || !vscode.workspace.isTrusted) {
        response.markdown(vscode.l10n.t("Open a folder that you trust: Toolwright works in folders."));
        return {};
      }
      const core = await context.core();
      const words = [request.prompt, ...request.references.flatMap(mentionOf)].join("\n");
      return withSignal(token, async (signal) => {
        const begun = await beginRequest(core, { workspace, session: sessionIn(history), words }, signal);
        for await (const piece of begun.pieces) show(piece, response);
        return { metadata: { session: begun.session } };
      });
    },
  );
  participant.iconPath = new vscode.ThemeIcon("tools");
  return participant;
}

type ChatHistory = vscode.ChatContext["history"];

/** The session of the newest answer in this conversation. */
function sessionIn(history: ChatHistory): string | undefined {
  const sessions = history.flatMap((turn) => {
    if (!(turn instanceof vscode.ChatResponseTurn) || turn.participant !== participantId) return [];
    const metadata: unknown = turn.result.metadata;
    const session = isObject(metadata) ? metadata["session"] : undefined;
    return typeof session === "string" ? [session] : [];
  });
  return sessions.at(-1);
}

/** Files by their paths: the session reads them itself, with its own rules about what may be read. */
function mentionOf({ value }: vscode.ChatPromptReference): string[] {
  if (typeof value === "string") return [value];
  const place = value instanceof vscode.Location ? value : undefined;
  const uri = place?.uri ?? (value instanceof vscode.Uri ? value : undefined);
  const path = uri && pathOf(uri);
  if (path === undefined) return [];
  const { start, end } = place?.range ?? {};
  return [start && end ? inEnglishOnly(`@${path} (lines ${start.line + 1}–${end.line + 1})`) : `@${path}`];
}

function show(piece: TurnPiece, response: vscode.ChatResponseStream): void {
  switch (piece.type) {
    case "text":
      return response.markdown(piece.text);
    case "doing":
      return response.progress(piece.title);
    case "waiting":
      response.markdown(`\n\n${vscode.l10n.t("Toolwright asks")}: ${piece.title}\n\n`);
      return response.button({ command: showToolwright, title: vscode.l10n.t("Answer in Toolwright") });
    case "end": {
      const words = endWords(piece.end);
      return words === "" ? undefined : response.markdown(`\n\n*${words}*`);
    }
    default:
      return piece satisfies never;
  }
}
