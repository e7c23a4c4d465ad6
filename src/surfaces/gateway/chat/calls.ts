/** Projects calls, approvals, questions and results to chat frames. */

import { fileBounds } from "../../../base/bounds.ts";
import type { Entry, FactOf } from "../../../protocol/facts.ts";
import type { Part } from "../../../protocol/messages.ts";
import { shortened, shortInput, shortMetadata } from "./cut.ts";
import type { ChatFrame } from "./frames.ts";
import {
  aboutEntry,
  type AskedFrame,
  type ChatState,
  limitKey,
  type Projected,
  withKey,
  withoutKey,
} from "./state.ts";
import { saying } from "./stream.ts";

type Of<T extends Entry["type"]> = Extract<Entry, { type: T }>;

export function called(state: ChatState, entry: Of<"call">): Projected {
  const { id, name } = entry.call;
  const { input, isCut } = shortInput(entry.call.input);
  const cut = isCut ? { cut: true } : {};
  const frame = { type: "tool.call", ...aboutEntry(state, entry), callId: id, name, input, ...cut } as const;
  const { state: next, frames } = saying(state, entry);
  const calls = withKey(next.calls, id, { frame, executes: false });
  return { state: { ...next, calls }, frames: [...frames, frame] };
}

/** Shell output has a narrower limit. */
export function started(state: ChatState, { callId, does }: FactOf<"call-start">): Projected {
  const known = state.calls.get(callId);
  if (!known || does !== "execute") return { state, frames: [] };
  return {
    state: { ...state, calls: withKey(state.calls, callId, { ...known, executes: true }) },
    frames: [],
  };
}

export function resulted(state: ChatState, entry: Of<"result">): Projected {
  const { callId, outcome, content } = entry;
  const known = state.calls.get(callId);
  const most = known?.executes ? fileBounds.shownOutput.most : fileBounds.readBytes.most;
  const { text, isCut } = shortened(textOf(content), most);
  const about = { ...aboutEntry(state, entry), callId, name: known?.frame.name ?? "" };
  const more = { ...(isCut ? { cut: true } : {}), ...shortMetadata(entry.metadata) };
  const frame: ChatFrame =
    outcome === "ok"
      ? { type: "tool.result", ...about, text, images: imagesOf(content), ...more }
      : { type: "tool.error", ...about, outcome, message: text, ...more };
  const calls = withoutKey(state.calls, callId);
  return { state: { ...state, calls, asked: withoutKey(state.asked, callId) }, frames: [frame] };
}

export function approvalAsked(state: ChatState, entry: Of<"approval-asked">): Projected {
  const { callId, title, because, risk, preview, covers, changes, sandbox, repairs, command, held } = entry;
  return asked(state, callId, {
    type: "tool.approval.request",
    ...aboutCall(state, entry),
    approvalId: callId,
    title,
    because,
    risk,
    preview,
    grant: entry.grant,
    scopes: entry.scopes ?? ["once", "turn", "session"],
    ...(covers ? { covers } : {}),
    ...(changes ? { changes } : {}),
    ...(sandbox ? { sandbox } : {}),
    ...(repairs ? { repairs } : {}),
    ...(command === undefined ? {} : { command }),
    ...(held ? { held } : {}),
  });
}

/** The first answer is the one that counts. */
export function approvalAnswered(state: ChatState, entry: Of<"approval-answered">): Projected {
  const { callId, answer, scope, by, note, command, drops } = entry;
  return answered(state, callId, {
    type: "tool.approval.response",
    ...aboutCall(state, entry),
    approvalId: callId,
    approved: answer === "allow",
    scope,
    by,
    ...(note === undefined ? {} : { note }),
    ...(command === undefined ? {} : { command }),
    ...(drops ? { drops } : {}),
  });
}

export function questionAsked(state: ChatState, entry: Of<"question-asked">): Projected {
  const { question, choices, several = false, steps } = entry;
  return asked(state, entry.callId, {
    type: "question.request",
    ...aboutCall(state, entry),
    question,
    choices,
    several,
    ...(steps ? { steps } : {}),
  });
}

export function questionAnswered(state: ChatState, entry: Of<"question-answered">): Projected {
  const { answer, by, text, chosen, steps } = entry;
  return answered(state, entry.callId, {
    type: "question.response",
    ...aboutCall(state, entry),
    declined: answer === "declined",
    by,
    ...(text === undefined ? {} : { text }),
    ...(chosen ? { chosen } : {}),
    ...(steps ? { steps } : {}),
  });
}

export function limitAsked(state: ChatState, entry: Of<"limit-asked">): Projected {
  const { limit, used, most, offer } = entry;
  const about = aboutEntry(state, entry);
  return asked(state, limitKey, { type: "limit.request", ...about, limit, used, most, offer });
}

/** If the settings extended the limit, no person was asked. */
export function limitAnswered(state: ChatState, entry: Of<"limit-answered">): Projected {
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

function asked(state: ChatState, key: string, frame: AskedFrame): Projected {
  return { state: { ...state, asked: withKey(state.asked, key, frame) }, frames: [frame] };
}

function answered(state: ChatState, key: string, frame: ChatFrame): Projected {
  if (!state.asked.has(key)) return { state, frames: [] };
  return { state: { ...state, asked: withoutKey(state.asked, key) }, frames: [frame] };
}

function aboutCall(state: ChatState, entry: Entry & { callId: string }) {
  const { callId } = entry;
  return { ...aboutEntry(state, entry), callId, name: state.calls.get(callId)?.frame.name ?? "" };
}

const textOf = (content: readonly Part[]): string =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

const imagesOf = (content: readonly Part[]): number => content.filter((part) => part.type === "image").length;
