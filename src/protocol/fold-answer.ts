/** Folds an answer: model output becomes a draft, then a message once each of its calls has a result. */

import { costOfAnswer } from "./cost.ts";
import type { FactOf } from "./facts.ts";
import { countAnswer } from "./fold-context.ts";
import type { AssistantPart } from "./messages.ts";
import type { Usage } from "./model-events.ts";
import {
  currentTurn,
  type AnswerDraft,
  emptyDraft,
  type SessionState,
  type TurnState,
} from "./session-state.ts";

export function addAnswerPart(
  state: SessionState,
  entry: (FactOf<"reasoning"> | FactOf<"text"> | FactOf<"call">) & { turn: number },
): void {
  forgetBroken(state);
  const turn = currentTurn(state);
  if (entry.type === "call") {
    state.draft.open += 1;
    state.draft.content.push({ type: "call", call: entry.call });
    state.draft.callIds.push(entry.call.id);
    state.calls.set(entry.call.id, {
      call: entry.call,
      turn: entry.turn,
      answer: (turn?.answers ?? 0) + 1,
    });
    state.open.add(entry.call.id);
    turn?.callIds.push(entry.call.id);
    return;
  }
  state.blocks = entry.block;
  if (entry.type === "text") {
    state.draft.content.push({ type: "text", text: entry.text });
    if (turn && entry.text.trim() !== "") turn.lastText = entry.text;
  } else {
    state.draft.content.push({
      type: "reasoning",
      text: entry.text,
      state: entry.state,
    });
  }
}

/** A broken answer without calls is requested again from the start: its partial output leaves no trace. */
function forgetBroken(state: SessionState): void {
  if (!state.draft.ended) return;
  const turn = currentTurn(state);
  if (turn) turn.lastText = state.draft.lastText;
  state.draft = emptyDraft(turn?.lastText);
}

export function answerEnd(state: SessionState, entry: FactOf<"answer-end"> & { at: number }): void {
  forgetBroken(state);
  state.draft.ended = entry;
  if (entry.state !== undefined) state.draft.state = entry.state;
  state.lastAnswer = entry;
  const turn = currentTurn(state);
  pay(state, turn, entry);
  if (turn) {
    turn.answers += 1;
    turn.owesAnswer = false;
    turn.lastCalls = state.draft.callIds;
    countFailure(turn, entry);
  }
  countAnswer(state.context, entry, { messages: state.messages.length, model: state.model });
  settle(state);
}

function countFailure(turn: TurnState, { reason, at }: FactOf<"answer-end"> & { at: number }): void {
  turn.failuresInARow = reason === "failed" ? turn.failuresInARow + 1 : 0;
  if (reason === "failed") turn.failingSince ??= at;
  else delete turn.failingSince;
}

/** A child session's usage counts towards the turn that started it: for its limits and in its totals. */
export function childEnded(state: SessionState, { callId, session, ...paid }: FactOf<"child-ended">): void {
  const known = state.calls.get(callId);
  if (known) known.ended = [...(known.ended ?? []), session];
  const turn = state.turns.find(({ turn: number }) => number === known?.turn);
  for (const sum of [state, ...(turn ? [turn] : [])]) {
    addUsage(sum.usage, paid.usage);
    sum.cost += paid.cost ?? 0;
  }
  state.unpriced += paid.unpriced ?? 0;
}

/** Moves the draft into the conversation once the answer has ended and each of its calls has a result. */
export function settle(state: SessionState): void {
  const { draft } = state;
  if (!draft.ended || draft.open > 0) return;
  const isBroken = draft.ended.reason === "failed" || draft.ended.reason === "interrupted";
  // Stays the draft: dropped if the model is asked again (a prompt must not end with half an answer), added when the
  // turn ends.
  if (isBroken && draft.callIds.length === 0) return;
  pushDraft(state);
}

export function pushDraft(state: SessionState): void {
  const { draft } = state;
  const turn = currentTurn(state);
  state.draft = emptyDraft(turn?.lastText);
  for (const part of draft.content)
    if (turn && part.type === "text" && part.text.trim() !== "")
      turn.text = turn.text === "" ? part.text : `${turn.text}\n\n${part.text}`;
  if (draft.content.every(isMute)) return;
  state.messages.push({
    role: "assistant",
    content: draft.content,
    state: draft.state,
    ...(hasState(draft) ? { by: draft.ended?.asked ?? state.model } : {}),
  });
  for (const id of draft.callIds) {
    const known = state.calls.get(id);
    if (!known?.result) continue;
    state.messages.push({
      role: "tool",
      callId: id,
      name: known.call.name,
      content: known.result.content,
      isError: known.result.outcome !== "ok",
    });
  }
}

/** Opaque state belongs to the model that made it. */
const hasState = ({ content, state }: AnswerDraft): boolean =>
  state !== undefined ||
  content.some((part) =>
    part.type === "call" ? part.call.state : part.type === "reasoning" ? part.state : false,
  );

/** Providers refuse messages of nothing but white space, and a person learns nothing from them (E5). */
const isMute = (part: AssistantPart): boolean =>
  part.type === "reasoning" || (part.type === "text" && part.text.trim() === "");

/** Adds what an answer cost to the session and, if it belongs to one, to its turn. */
export function pay(
  state: SessionState,
  turn: TurnState | undefined,
  entry: Parameters<typeof costOfAnswer>[0],
): void {
  for (const sum of [state, ...(turn ? [turn] : [])]) {
    addUsage(sum.usage, entry.usage);
    sum.cost += entry.cost ?? 0;
  }
  state.unpriced += costOfAnswer(entry).unknown;
}

export function addUsage(total: Usage, more: Usage | undefined): void {
  if (!more) return;
  total.inputTokens += more.inputTokens;
  total.outputTokens += more.outputTokens;
  total.cacheReadTokens = (total.cacheReadTokens ?? 0) + (more.cacheReadTokens ?? 0);
  total.cacheWriteTokens = (total.cacheWriteTokens ?? 0) + (more.cacheWriteTokens ?? 0);
  total.reasoningTokens = (total.reasoningTokens ?? 0) + (more.reasoningTokens ?? 0);
}
