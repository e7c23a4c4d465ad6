/** One question as a notification, and what its buttons do. */

import * as vscode from "vscode";
import { type NoticeAnswer, noticeOf } from "../../common/approvals/notice.ts";
import type {
  ApprovalReply,
  PendingQuestion,
  WaitingQuestions,
} from "../../common/approvals/waiting-questions.ts";
import type { AskedChanges } from "./asked-changes.ts";
import type { ChatPresence } from "./chat-presence.ts";

type NotifyContext = { questions: WaitingQuestions; chat: ChatPresence; changes: AskedChanges };

/** Again, until it is answered or a person closes it: to look at a diff is no answer. */
export async function notify(question: PendingQuestion, context: NotifyContext): Promise<void> {
  const { message, severity, answers } = noticeOf(question);
  const tell =
    severity === "warning" ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const items = answers.map((answer) => ({ title: answer.label, answer }));
  for (;;) {
    const chosen = await tell(message, ...items);
    if (!chosen) return;
    if (chosen.answer.type !== "show" && !isWaiting(question, context)) return tellOver();
    if ((await carryOut(chosen.answer, question, context)) === "over") return;
    if (!isWaiting(question, context)) return;
  }
}

const isWaiting = ({ key }: PendingQuestion, { questions }: NotifyContext): boolean =>
  questions.list.some((other) => other.key === key);

async function carryOut(
  answer: NoticeAnswer,
  question: PendingQuestion,
  { questions, chat, changes }: NotifyContext,
): Promise<"over" | "open"> {
  if (answer.type === "show" || question.type !== "approval") {
    await chat.show(question.session);
    return "over";
  }
  if (answer.type === "diff") {
    await changes.open(question);
    return "open";
  }
  const reply = await replyTo(answer, question.asked.callId);
  if (!reply) return "open";
  const outcome = await questions.answer(question.session, reply);
  if (!outcome.ok) void vscode.window.showWarningMessage(outcome.problem);
  return "over";
}

type DecisiveAnswer = Exclude<NoticeAnswer, { type: "show" | "diff" }>;

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
