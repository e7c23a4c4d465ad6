/** A turn's questions, asked of the editor's person: permissions for calls and plans, forms for the rest. */

import {
  type AgentContext,
  type CreateElicitationRequest,
  type PermissionOption,
  RequestError,
  type RequestPermissionRequest,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { isObject } from "../base/json.ts";
import { visibleLine } from "../base/visible-text.ts";
import type { Command } from "../protocol/commands.ts";
import type { Mode, Scope } from "../protocol/facts.ts";
import type { PersonQuestion } from "../view/person-questions.ts";
import { answerFrom, questionForm, refusalOf } from "../view/question-forms.ts";
import { waitingIn, waitingWords } from "../view/waiting-changes.ts";
import { previewContent, textContent } from "./calls.ts";

type AskingContext = {
  session: string;
  /** Absolute. */
  workspace: string;
  client: AgentContext;
  /** Whether the client can show forms. */
  showsForms: boolean;
  /** Who answers, for the log. */
  by: string;
};

type QuestionOf<T extends PersonQuestion["type"]> = Extract<PersonQuestion, { type: T }>;

/**
 * The answer; undefined for a question that this client can only answer by its next prompt. Rejects when the client
 * fails, with a RequestError if it is there and its answer cannot be used; aborted by the signal when somebody else has answered.
 */
export function askPerson(
  asked: PersonQuestion,
  context: AskingContext,
  signal: AbortSignal,
): Promise<Command | undefined> {
  switch (asked.type) {
    case "approval-asked":
      return askApproval(asked, context, signal);
    case "question-asked":
      if (asked.steps) return askPlan(asked, context, signal);
      return context.showsForms ? askForm(asked, context, signal) : askChoice(asked, context, signal);
    case "limit-asked":
      return context.showsForms ? askForm(asked, context, signal) : askLimit(asked, context, signal);
    default:
      return asked satisfies never;
  }
}

/** The chosen option's id; undefined when the person chose none. */
async function choose(
  { client, session }: AskingContext,
  toolCall: ToolCallUpdate,
  options: PermissionOption[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const request: RequestPermissionRequest = { sessionId: session, toolCall, options };
  const reply: unknown = await client.request("session/request_permission", request, {
    cancellationSignal: signal,
    stopWaitingOnCancel: true,
  });
  const outcome = isObject(reply) ? reply["outcome"] : undefined;
  if (!isObject(outcome)) throw unreadable();
  if (outcome["outcome"] === "cancelled") return undefined;
  const { optionId } = outcome;
  if (outcome["outcome"] !== "selected" || typeof optionId !== "string") throw unreadable();
  return optionId;
}

const unreadable = (): RequestError =>
  RequestError.internalError(undefined, "its answer does not have the form that the protocol says.");

async function askApproval(
  asked: QuestionOf<"approval-asked">,
  context: AskingContext,
  signal: AbortSignal,
): Promise<Command> {
  const scopes = asked.scopes ?? (["once", "turn", "session"] as const);
  const options = [...scopes.map((scope) => allowOption(scope, asked.grant)), denyOption];
  const chosen = await choose(context, approvalCall(asked, context), options, signal);
  const scope = scopes.find((one) => one === chosen);
  const about = { type: "answer-approval", callId: asked.callId, by: context.by } as const;
  return scope === undefined
    ? { ...about, answer: "deny", scope: "once" }
    : { ...about, answer: "allow", scope };
}

const denyOption: PermissionOption = { optionId: "deny", name: "No", kind: "reject_once" };

const scopeWords: Readonly<Record<Scope, string>> = {
  once: "Yes",
  turn: "Yes, until this request is done",
  session: "Yes, in this session",
  project: "Yes, always in this workspace",
};

const allowOption = (scope: Scope, grant: string): PermissionOption => ({
  optionId: scope,
  name: scope === "once" || grant === "" ? scopeWords[scope] : `${scopeWords[scope]}: ${visibleLine(grant)}`,
  kind: scope === "once" ? "allow_once" : "allow_always",
});

/** Clients differ in what they show of a call, so the whole command stands in each of the three places. */
function approvalCall(asked: QuestionOf<"approval-asked">, { workspace }: AskingContext): ToolCallUpdate {
  const { callId, title, because, preview, changes = [], command, place, sandbox } = asked;
  const waiting = waitingIn(asked);
  const reasons = [because, ...(waiting ? waitingWords(waiting) : [])].map(visibleLine).join("\n");
  return {
    toolCallId: callId,
    title: command ?? title,
    kind: command === undefined ? "edit" : "execute",
    status: "pending",
    content: [...previewContent(preview, changes.length > 0, workspace), textContent(reasons)],
    rawInput: command === undefined ? { preview } : { command, place, profile: sandbox?.profile },
  };
}

/** A plan may be carried out in one of these modes. */
const planModes: readonly { mode: Mode; name: string }[] = [
  { mode: "accept-edits", name: "Yes, and make edits without asking" },
  { mode: "ask", name: "Yes, and ask before each change" },
];

async function askPlan(
  { callId, question, steps = [] }: QuestionOf<"question-asked">,
  context: AskingContext,
  signal: AbortSignal,
): Promise<Command> {
  const plan = steps.map(
    ({ title, detail }, at) => `${at + 1}. ${title}${detail === undefined ? "" : `\n   ${detail}`}`,
  );
  const toolCall: ToolCallUpdate = {
    toolCallId: callId,
    title: question === "" ? "Carry out this plan?" : question,
    kind: "switch_mode",
    content: [textContent(plan.join("\n"))],
    rawInput: { plan: steps },
  };
  const options = planModes.map(({ mode, name }): PermissionOption => ({
    optionId: mode,
    name,
    kind: "allow_once",
  }));
  const chosen = await choose(context, toolCall, [...options, denyOption], signal);
  const mode = planModes.find((one) => one.mode === chosen)?.mode;
  const about = { type: "answer-question", callId, by: context.by } as const;
  return mode === undefined ? { ...about, answer: "declined" } : { ...about, answer: "given", mode };
}

async function askChoice(
  asked: QuestionOf<"question-asked">,
  context: AskingContext,
  signal: AbortSignal,
): Promise<Command | undefined> {
  const { callId, question, choices } = asked;
  if (choices.length === 0) return undefined;
  const options = choices.map(({ label, detail }, at): PermissionOption => ({
    optionId: String(at),
    name: detail === undefined ? label : `${label}: ${detail}`,
    kind: "allow_once",
  }));
  const toolCall = { toolCallId: callId, title: question, kind: "think", rawInput: { question } } as const;
  const none: PermissionOption = { optionId: "none", name: "None of these", kind: "reject_once" };
  const chosen = await choose(context, toolCall, [...options, none], signal);
  const at = options.findIndex(({ optionId }) => optionId === chosen);
  return at === -1
    ? { type: "answer-question", callId, answer: "declined", by: context.by }
    : { type: "answer-question", callId, answer: "given", chosen: [at], by: context.by };
}

async function askLimit(
  asked: QuestionOf<"limit-asked">,
  context: AskingContext,
  signal: AbortSignal,
): Promise<Command> {
  const toolCall: ToolCallUpdate = {
    toolCallId: `limit-${asked.seq}`,
    title: questionForm(asked).message,
    kind: "other",
    rawInput: { limit: asked.limit, used: asked.used, most: asked.most, offer: asked.offer },
  };
  const options: PermissionOption[] = [
    { optionId: "extend", name: `Yes, up to ${asked.offer}`, kind: "allow_once" },
    { optionId: "stop", name: "No, stop here", kind: "reject_once" },
  ];
  const chosen = await choose(context, toolCall, options, signal);
  return { type: "answer-limit", answer: chosen === "extend" ? "extend" : "stop", by: context.by };
}

async function askForm(
  asked: PersonQuestion,
  { client, session, by }: AskingContext,
  signal: AbortSignal,
): Promise<Command> {
  const { message, requestedSchema } = questionForm(asked);
  const callId = asked.type === "limit-asked" ? {} : { toolCallId: asked.callId };
  const request: CreateElicitationRequest = {
    mode: "form",
    sessionId: session,
    ...callId,
    message,
    requestedSchema,
  };
  const reply: unknown = await client.request("elicitation/create", request, {
    cancellationSignal: signal,
    stopWaitingOnCancel: true,
  });
  if (!isObject(reply) || !/^(?:accept|decline|cancel)$/u.test(String(reply["action"]))) throw unreadable();
  const { action, content } = reply;
  return action === "accept" ? answerFrom(asked, isObject(content) ? content : {}, by) : refusalOf(asked, by);
}
