/**
 * Tells what waits for a person while the chat view is hidden: a notification that never takes the focus. The view's
 * own badge says how many wait.
 */

import * as vscode from "vscode";
import { WaitingQuestions } from "../../common/approvals/waiting-questions.ts";
import { statesOf } from "../core-states.ts";
import type { FeatureContext } from "../feature-context.ts";
import { isSessionHere } from "../window-folders.ts";
import { WithCore } from "../with-core.ts";
import { AskedChanges } from "./asked-changes.ts";
import { type ChatPresence, unseenChat } from "./chat-presence.ts";
import { notify } from "./notifications.ts";

export function registerApprovals(
  context: FeatureContext,
  chat: ChatPresence = unseenChat,
): vscode.Disposable {
  const notified = new Set<string>();
  const changes = new AskedChanges();
  const told = (): void => {
    const questions = waiting.value;
    const list = questions?.list ?? [];
    for (const key of notified) if (!list.some((question) => question.key === key)) notified.delete(key);
    if (!questions || chat.isVisible()) return;
    for (const question of list) {
      if (notified.has(question.key)) continue;
      notified.add(question.key);
      notify(question, { questions, chat, changes }).catch((error: unknown) =>
        context.log.error(String(error)),
      );
    }
  };
  const waiting = new WithCore(context, (core) => {
    const questions = new WaitingQuestions({
      ...core,
      states: statesOf(core, context),
      isHere: isSessionHere,
      failed: (error) => context.log.error(String(error)),
    });
    questions.listen(told);
    return questions;
  });
  return vscode.Disposable.from(waiting, changes, waiting.onDidBegin(told), chat.onDidChangeVisibility(told));
}
