/** One question as a notification, and what its buttons do. */

import * as vscode from "vscode";
import { type NoticeAnswer, noticeOf } from "../../common/approvals/notice.ts";
import type {
  ApprovalReply,
  PendingQuestion,
  WaitingQuestions,
} from "../../common/approvals/waiting-questions.ts";
import type { ChatPresence } from "./chat-presence.ts";

type NotifyContext = { questions: WaitingQuestions; chat: ChatPresence };

/** Ends when a button is pressed, or the notification is closed. */
export async function notify(question: PendingQuestion, context: NotifyContext): Promise<void> {
  const { message, severity, answers } = noticeOf(question);
  const tell =
    severity === "warning" ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const items = answers.map((answer) => ({ title: answer.label, answer }));
  const chosen = await tell(message, ...items);
  if (chosen) await carryOut(chosen.answer, question, context);
}

async function carryOut(
  answer: NoticeAnswer,
  question: PendingQuestion,
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

type DecisiveAnswer = Exclude<NoticeAnswer, { type: "show" }>;

/** `undefined`: the person thought better of it. */
async function replyTo(answer: DecisiveAnswer, callId: string): Promise<ApprovalReply | undefined> {
  const reply = { type: "answer-approval", callId, by: "VS Code" } as const;
  switch (answer.type) {
    case "allow":
      return { ...reply, answer: "allow", scope: "once" };
    case "allow-longer": {
      const scope = await scopeFor(answer);
      return scope && { ...reply, answer: "allow", scope };
    }
    case "deny": {
      const note = await noteFor(answer.label);
      if (note === undefined) return undefined;
      return { ...reply, answer: "deny", scope: "once", ...(note === "" ? {} : { note }) };
    }
    default:
      return answer satisfies never;
  }
}

type LongerAnswer = Extract<NoticeAnswer, { type: "allow-longer" }>;

async function scopeFor({
  label,
  scopes,
  covers,
}: LongerAnswer): Promise<LongerAnswer["scopes"][number] | undefined> {
  const words = {
    turn: vscode.l10n.t("This request"),
    session: vscode.l10n.t("This session"),
    project: vscode.l10n.t("This project, until it is revoked"),
  };
  const items = scopes.map((scope) => ({ scope, label: words[scope], detail: covers }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: label,
    placeHolder: vscode.l10n.t("It is not asked again about: {0}", covers),
    ignoreFocusOut: true,
  });
  return chosen?.scope;
}

async function noteFor(title: string): Promise<string | undefined> {
  const prompt = vscode.l10n.t("Reason for the model (optional)");
  const note = await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true });
  return note?.trim();
}

/** A notification cannot be taken back once its question is answered elsewhere. */
function tellOver(): void {
  vscode.window.setStatusBarMessage(vscode.l10n.t("Toolwright: this was answered already."), 5000);
}
