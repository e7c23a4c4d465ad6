/** Frees memory: of finished calls the state holds only what is still queried. The log keeps everything. */

import type { Json } from "../base/json.ts";
import type { FactOf } from "./facts.ts";
import type { ToolCall } from "./messages.ts";
import { type CallState, currentTurn, type SessionState } from "./session-state.ts";

/** Drops the preview data of a call that has its result: no person will be asked about it any more. */
export function closeCall(known: CallState, result: FactOf<"result"> & { seq: number; at: number }): void {
  known.result = result;
  known.resultAt = result.seq;
  known.endedAt = result.at;
  delete known.tried;
  if (!known.asked) return;
  const { command: _, held: __, ...asked } = known.asked;
  known.asked = { ...asked, preview: "" };
}

/** Slims calls whose results were left out of the prompt. */
export function slimTrimmed({ calls, draft }: SessionState, callIds: readonly string[]): void {
  for (const id of callIds) {
    const known = calls.get(id);
    if (known && !draft.callIds.includes(id)) slimResult(known);
  }
}

function slimResult(known: CallState): void {
  if (known.result) known.result = withoutContent(known.result);
}

/** Slims calls of the open turn that a compaction removed from the prompt, arguments included. */
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

/** Slims the calls of an ended turn: `changes` has its file changes, `grants` its approvals. */
export function slimTurn(state: SessionState): void {
  const { calls } = state;
  for (const id of currentTurn(state)?.callIds ?? []) {
    const known = calls.get(id);
    if (known?.result) calls.set(id, slim(known));
  }
}

/**
 * Keeps what undo did not cover (shown with every view of the turn), and which call staged a change (needed to apply
 * it).
 */
function slim({ call, turn, answer, start, applied, result, resultAt }: CallState): CallState {
  return {
    call: withoutInput(call),
    turn,
    answer,
    ...(start ? { start: { type: start.type, callId: start.callId, title: "", does: start.does } } : {}),
    ...(applied?.uncovered ? { applied: withoutChanges(applied) } : {}),
    ...(result ? { result: withoutContent(result) } : {}),
    resultAt,
  };
}

type AppliedChange = FactOf<"change-applied">;

const noInput: Record<string, Json> = {};

const withoutInput = ({ id, name, source }: ToolCall): ToolCall => ({ id, name, input: noInput, source });

const withoutChanges = ({ type, callId, uncovered }: AppliedChange): AppliedChange => ({
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
