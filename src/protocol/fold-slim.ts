/**
 * Of calls that are over only what is still asked about is held. All of them stays in the log, and no entry is changed.
 */

import type { Json } from "../base/json.ts";
import type { FactOf } from "./facts.ts";
import type { Call } from "./messages.ts";
import { type CallState, currentTurn, type SessionState } from "./session-state.ts";

/** Its result has come: nobody asks a person about it any more, so nobody is shown what it would have done. */
export function closeCall(known: CallState, result: FactOf<"result"> & { seq: number; at: number }): void {
  known.result = result;
  known.resultAt = result.seq;
  known.endedAt = result.at;
  if (!known.asked) return;
  const { command: _, ...asked } = known.asked;
  known.asked = { ...asked, preview: "" };
}

/** These calls' results are not told to the model any more. */
export function slimTrimmed({ calls, draft }: SessionState, callIds: readonly string[]): void {
  for (const id of callIds) {
    const known = calls.get(id);
    if (known && !draft.callIds.includes(id)) slimResult(known);
  }
}

function slimResult(known: CallState): void {
  if (known.result) known.result = withoutContent(known.result);
}

/** Calls of the open turn that are not told any more: their arguments are gone as well. */
export function slimCompacted(state: SessionState): void {
  const { messages, draft, calls } = state;
  const told = new Set(draft.callIds);
  for (const message of messages)
    if (message.role === "assistant")
      for (const part of message.content) if (part.type === "call") told.add(part.call.id);
  for (const id of currentTurn(state)?.callIds ?? []) {
    const known = calls.get(id);
    if (!known?.result || told.has(id) || known.call.input === noInput) continue;
    slimResult(known);
    known.call = withoutInput(known.call);
  }
}

/** The turn is over: what it changed is in `changes`, what it allowed in `grants`. */
export function slimTurn(state: SessionState): void {
  const { calls } = state;
  for (const id of currentTurn(state)?.callIds ?? []) {
    const known = calls.get(id);
    if (known?.result) calls.set(id, slim(known));
  }
}

/**
 * What was not covered by undo is told whenever the turn is looked at; who made a staged change, when it is applied.
 */
function slim({ call, turn, answer, start, applied, result, resultAt }: CallState): CallState {
  return {
    call: withoutInput(call),
    turn,
    answer,
    ...(start ? { start: { type: start.type, callId: start.callId, title: "", does: start.does } } : {}),
    ...(applied?.uncovered ? { applied: withoutChanges(applied) } : {}),
    ...(result ? { result: withoutContent(result) } : {}),
    ...(resultAt === undefined ? {} : { resultAt }),
  };
}

type Applied = FactOf<"change-applied">;

const noInput: Record<string, Json> = {};

const withoutInput = ({ id, name, source }: Call): Call => ({ id, name, input: noInput, source });

const withoutChanges = ({ type, callId, uncovered }: Applied): Applied => ({
  type,
  callId,
  changes: [],
  ...(uncovered ? { uncovered } : {}),
});

const noContent: FactOf<"result">["content"] = [];

const withoutContent = ({ type, callId, outcome, full }: FactOf<"result">): FactOf<"result"> => ({
  type,
  callId,
  outcome,
  content: noContent,
  ...(full === undefined ? {} : { full }),
});
