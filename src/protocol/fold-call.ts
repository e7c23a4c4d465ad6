/** Folds a call's facts, from its decision to its result. */

import type { FactOf } from "./facts.ts";
import { settle } from "./fold-answer.ts";
import { addChanges, undoableIn } from "./fold-changes.ts";
import { workChanged } from "./fold-checkout.ts";
import { closeCall } from "./fold-slim.ts";
import { stage, useUp } from "./fold-staged.ts";
import { isSameGrant } from "./same-grant.ts";
import { type CallState, currentTurn, type SessionState } from "./session-state.ts";

export function aboutCall(
  state: SessionState,
  entry: { seq: number; at: number } & (
    | FactOf<"decision">
    | FactOf<"approval-asked">
    | FactOf<"approval-answered">
    | FactOf<"question-asked">
    | FactOf<"question-answered">
    | FactOf<"call-start">
    | FactOf<"change-staged">
    | FactOf<"command-tried">
    | FactOf<"change-applied">
    | FactOf<"result">
  ),
): void {
  const known = state.calls.get(entry.callId);
  if (!known) return;
  switch (entry.type) {
    case "decision":
      known.decision = entry;
      break;
    case "approval-asked":
      known.asked = entry;
      break;
    case "approval-answered":
      approvalAnswered(state, known, entry);
      break;
    case "question-asked":
      known.question = entry;
      break;
    case "question-answered":
      known.reply ??= entry;
      break;
    case "call-start":
      known.start = entry;
      if (entry.does !== "read") workChanged(state, { ...entry, changes: [] });
      break;
    case "change-staged":
      stage(state.staged, entry);
      break;
    case "command-tried":
      known.tried = entry;
      break;
    case "change-applied":
      changeApplied(state, known, entry);
      workChanged(state, entry);
      break;
    case "result":
      closeCall(known, keepWords(state, known, inOneText(entry)));
      perhapsChanged(state, known, entry);
      if (state.open.delete(entry.callId)) state.draft.open -= 1;
      for (const { path, hash } of entry.seen ?? []) state.seen.set(path, hash);
      settle(state);
      break;
    default:
      entry satisfies never;
  }
}

function changeApplied(state: SessionState, known: CallState, entry: FactOf<"change-applied">): void {
  const { applied, start } = known;
  // A hook may have modified the file again right after the write.
  known.applied = { ...applied, ...entry, changes: [...(applied?.changes ?? []), ...entry.changes] };
  if (entry.token !== undefined) useUp(state.staged, entry.token);
  currentTurn(state)?.changes.push(...entry.changes);
  addChanges(state.changes, known.turn, { files: undoableIn(entry), isCertain: true });
  // The model has not seen what a command, a subagent or a hook wrote; if it had read the file, it must read it again
  // before editing.
  const isOwn = !applied && start?.does !== "execute" && start?.does !== "delegate";
  if (isOwn) for (const file of entry.changes) state.seen.set(file.path, file.after);
}

/** Joins adjacent text parts: some providers put nothing between two. */
function inOneText<Result extends FactOf<"result">>(entry: Result): Result {
  const content: FactOf<"result">["content"] = [];
  for (const part of entry.content) {
    const last = content.at(-1);
    if (part.type !== "text" || last?.type !== "text") content.push(part);
    else content[content.length - 1] = { type: "text", text: `${last.text}\n${part.text}` };
  }
  return content.length === entry.content.length ? entry : { ...entry, content };
}

/**
 * A person's answer to a question or plan, or the reason for a refusal, counts as their words, like a message. Returns
 * the result with fresh part objects, whose identity marks where in the conversation these words are.
 */
function keepWords<Result extends FactOf<"result">>(
  { said }: SessionState,
  { question, reply, asked, answered, result }: CallState,
  entry: Result,
): Result {
  if (result || (!reply && answered?.note === undefined)) return entry;
  const about = question?.question ?? asked?.title ?? "";
  const content = entry.content.map((part) => ({ ...part }));
  said.push([{ type: "text", text: `[Asked: ${about}]` }, ...content]);
  return { ...entry, content };
}

/**
 * In an earlier version, a crash between the write and its fact left only the intent: each file may be written or not.
 */
function perhapsChanged(state: SessionState, known: CallState, { outcome }: FactOf<"result">): void {
  const { start, applied, turn } = known;
  if (outcome === "interrupted" && start?.changes && !applied)
    addChanges(state.changes, turn, { files: start.changes, isCertain: false });
}

/** The first answer wins; a wider approval becomes a grant. */
function approvalAnswered(state: SessionState, known: CallState, entry: FactOf<"approval-answered">): void {
  if (known.answered) return;
  known.answered = entry;
  const { answer, scope, command } = entry;
  const { covers } = command === undefined ? (known.asked ?? {}) : entry;
  if (answer === "allow" && covers && (scope === "turn" || scope === "session"))
    state.grants.push({ covers, scope, turn: known.turn });
}

/** Whatever it held for: what was allowed twice is taken back at once. */
export function grantRevoked(state: SessionState, { covers }: FactOf<"grant-revoked">): void {
  state.grants = state.grants.filter((grant) => !isSameGrant(grant.covers, covers));
}

/** Folds other facts of a call: hooks before it, and sessions it starts. */
export function beforeOrBeside(
  state: SessionState,
  entry: FactOf<"hook-ran"> | FactOf<"child-started">,
): void {
  const known = entry.callId === undefined ? undefined : state.calls.get(entry.callId);
  if (!known) return;
  if (entry.type === "child-started") {
    known.children = [...(known.children ?? []), entry.session];
    return;
  }
  if (entry.event !== "before-call") return;
  known.hooked = true;
  if (entry.input) known.rewritten = entry.input;
  if (entry.outcome === "asked")
    known.hookAsks ??= `the hook ${entry.hook} asks for it: ${entry.because ?? ""}`;
}
