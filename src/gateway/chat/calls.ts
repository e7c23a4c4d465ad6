/** Projects calls, approvals, questions and results to chat frames. */

import { fileBounds, outputBounds } from "../../base/bounds.ts";
import type { Entry, FactOf } from "../../protocol/facts.ts";
import { type ContentPart, textOf } from "../../protocol/messages.ts";
import type { ChatFrame } from "./frames.ts";
import { shortenText, shortInput, shortMetadata } from "./shorten.ts";
import {
  aboutEntry,
  type QuestionFrame,
  type ChatState,
  limitKey,
  type Projection,
  withKey,
  withoutKey,
} from "./state.ts";
import { saying } from "./stream.ts";

export type ChatEntry<T extends Entry["type"]> = Extract<Entry, { type: T }>;

export function callFrames(state: ChatState, entry: ChatEntry<"call">): Projection {
  const { id, name } = entry.call;
  const { input, isCut } = shortInput(entry.call.input);
  const cut = isCut ? { cut: true } : {};
  const frame = { type: "tool.call", ...aboutEntry(state, entry), callId: id, name, input, ...cut } as const;
  const { state: next, frames } = saying(state, entry);
  const calls = withKey(next.calls, id, { frame, executes: false });
  return { state: { ...next, calls }, frames: [...frames, frame] };
}

/** Shell output has a narrower limit. */
export function markCallStart(state: ChatState, { callId, does }: FactOf<"call-start">): Projection {
  const known = state.calls.get(callId);
  if (!known || does !== "execute") return { state, frames: [] };
  return {
    state: { ...state, calls: withKey(state.calls, callId, { ...known, executes: true }) },
    frames: [],
  };
}

export function resultFrames(state: ChatState, entry: ChatEntry<"result">): Projection {
  const { callId, outcome, content } = entry;
  const known = state.calls.get(callId);
  const most = known?.executes ? outputBounds.shown.most : fileBounds.readBytes.most;
  const { text, isCut } = shortenText(textOf(content), most);
  const about = { ...aboutEntry(state, entry), callId, name: known?.frame.name ?? "" };
  const more = { ...(isCut ? { cut: true } : {}), ...shortMetadata(entry.metadata) };
  const frame: ChatFrame =
    outcome === "ok"
      ? { type: "tool.result", ...about, text, images: imagesOf(content), ...more }
      : { type: "tool.error", ...about, outcome, message: text, ...more };
  const calls = withoutKey(state.calls, callId);
  return { state: { ...state, calls, asked: withoutKey(state.asked, callId) }, frames: [frame] };
}

export function approvalAsked(state: ChatState, entry: ChatEntry<"approval-asked">): Projection {
  const { callId, title, because, risk, preview, covers, changes, sandbox, repairs, command, held } = entry;
  return questionFrames(state, callId, {
    type: "tool.approval.request",
    ...aboutCall(state, entry),
    approvalId: callId,
    title,
    because,
    risk,
    preview,
    grant: entry.grant,
    scopes: entry.scopes ?? ["once", "turn", "session"],
    covers,
    changes,
    sandbox,
    repairs,
    command,
    held,
  });
}

/** The first answer is the one that counts. */
export function approvalAnswered(state: ChatState, entry: ChatEntry<"approval-answered">): Projection {
  const { callId, answer, scope, by, note, command, drops } = entry;
  return answerFrames(state, callId, {
    type: "tool.approval.response",
    ...aboutCall(state, entry),
    approvalId: callId,
    approved: answer === "allow",
    scope,
    by,
    note,
    command,
    drops,
  });
}

export function questionAsked(state: ChatState, entry: ChatEntry<"question-asked">): Projection {
  const { question, choices, several = false, steps } = entry;
  return questionFrames(state, entry.callId, {
    type: "question.request",
    ...aboutCall(state, entry),
    question,
    choices,
    several,
    steps,
  });
}

export function questionAnswered(state: ChatState, entry: ChatEntry<"question-answered">): Projection {
  const { answer, by, text, chosen, steps } = entry;
  return answerFrames(state, entry.callId, {
    type: "question.response",
    ...aboutCall(state, entry),
    declined: answer === "declined",
    by,
    text,
    chosen,
    steps,
  });
}

export function limitAsked(state: ChatState, entry: ChatEntry<"limit-asked">): Projection {
  const { limit, used, most, offer } = entry;
  const about = aboutEntry(state, entry);
  return questionFrames(state, limitKey, { type: "limit.request", ...about, limit, used, most, offer });
}

/** If the settings extended the limit, no person was asked. */
export function limitAnswered(state: ChatState, entry: ChatEntry<"limit-answered">): Projection {
  const { limit, answer, most, by } = entry;
  const about = aboutEntry(state, entry);
  const raised = most === undefined ? {} : { most };
  const frame = {
    type: "limit.response",
    ...about,
    limit,
    extend: answer === "extend",
    ...raised,
    by,
  } as const;
  return { state: { ...state, asked: withoutKey(state.asked, limitKey) }, frames: [frame] };
}

function questionFrames(state: ChatState, key: string, frame: QuestionFrame): Projection {
  return { state: { ...state, asked: withKey(state.asked, key, frame) }, frames: [frame] };
}

function answerFrames(state: ChatState, key: string, frame: ChatFrame): Projection {
  if (!state.asked.has(key)) return { state, frames: [] };
  return { state: { ...state, asked: withoutKey(state.asked, key) }, frames: [frame] };
}

function aboutCall(state: ChatState, entry: Entry & { callId: string }) {
  const { callId } = entry;
  return { ...aboutEntry(state, entry), callId, name: state.calls.get(callId)?.frame.name ?? "" };
}

const imagesOf = (content: readonly ContentPart[]): number =>
  content.filter((part) => part.type === "image").length;
