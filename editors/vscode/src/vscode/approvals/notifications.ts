/** One question as a notification, and what its buttons do. */

import * as vscode from "vscode";
import { type NoticeAnswer, noticeOf } from "../../common/approvals/notice.ts";
import type {
  ApprovalAnswer,
  WaitingQuestion,
  WaitingQuestions,
} from "../../common/approvals/waiting-questions.ts";
import type { ChatPresence } from "./chat-presence.ts";

type NotifyContext = { questions: WaitingQuestions; chat: ChatPresence };

/** Ends when a button is pressed, or the notification is closed. */
export async function notify(question: WaitingQuestion, context: NotifyContext): Promise<void> {
  const { message, severity, answers } = noticeOf(question);
  const tell =
    severity === "warning" ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const items = answers.map((answer) => ({ title: answer.label, answer }));
  const chosen = await tell(message, ...items);
  if (chosen) await carryOut(chosen.answer, question, context);
}

async function carryOut(
  answer: NoticeAnswer,
  question: WaitingQuestion,
  { questions, chat }: NotifyContext,
): Promise<void> {
  if (answer.type === "show") return void (await chat.show(question.session));
  if (question.type !== "approval") return;
  if (!questions.list.some(({ key }) => key === question.key)) return tellOver();
  const reply = await replyTo(answer, question.asked.callId);
  if (!reply) return;
  const outcome = await questions.answer(question.session, reply);
  if (!outcome.ok) void vscode.window.showWarningMessage(outcome.problem);
}

type Reply = Exclude<NoticeAnswer, { type: "show" }>;

/** `undefined`: the person thought better of it. */
async function replyTo(answer: Reply, callId: string): Promise<ApprovalAnswer | undefined> {
  const reply = { type: "answer-approval", callId, by: "VS Code" } as const;
  if (answer.type === "allow") return { ...reply, answer: "allow", scope: answer.scope };
  const note = await vscode.window.showInputBox({
    title: answer.label,
    prompt: vscode.l10n.t("Reason for the model (optional)"),
    ignoreFocusOut: true,
  });
  if (note === undefined) return undefined;
  return { ...reply, answer: "deny", scope: "once", ...(note.trim() === "" ? {} : { note: note.trim() }) };
}

/** A notification cannot be taken back once its question is answered elsewhere. */
function tellOver(): void {
  vscode.window.setStatusBarMessage(vscode.l10n.t("Toolwright: this was answered already."), 5000);
}
