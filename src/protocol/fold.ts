/**
 * Folds facts into the session state: prompt, open calls, approvals, files seen, usage.
 * Incremental: `step` changes the state in place by one entry, so a round costs only what it added.
 */

import { modes } from "./fact-words.ts";
import type { Entry, FactOf } from "./facts.ts";
import { answerEnd, childEnded, pay, pushDraft, addAnswerPart } from "./fold-answer.ts";
import { aboutCall, beforeOrBeside, grantRevoked } from "./fold-call.ts";
import { addUntold, markKept, undone } from "./fold-changes.ts";
import { beginCheckout, workChanged, workKept } from "./fold-checkout.ts";
import { compactMessages, trimResults } from "./fold-compaction.ts";
import { beginContext } from "./fold-context.ts";
import { slimTurn } from "./fold-slim.ts";
import type { ContentPart } from "./messages.ts";
import {
  addedKey,
  awaitsPerson,
  currentTurn,
  emptyDraft,
  modeCode,
  noUsage,
  type QueuedMessage,
  type SessionState,
  undoneCode,
} from "./session-state.ts";

/** Message ids remembered to recognise a message that is sent twice. */
export const mostKnownMessages = 256;

/** Adds one entry to the state, in place, and returns it. @experimental */
export function step(state: SessionState, entry: Entry): SessionState {
  state.seq = entry.seq;
  switch (entry.type) {
    case "session-start":
      sessionStart(state, entry);
      break;
    case "reasoning":
    case "text":
    case "call":
      addAnswerPart(state, entry);
      break;
    case "answer-end":
      answerEnd(state, entry);
      break;
    case "decision":
    case "approval-asked":
    case "approval-answered":
    case "question-asked":
    case "question-answered":
    case "call-start":
    case "change-staged":
    case "command-tried":
    case "change-applied":
    case "result":
      aboutCall(state, entry);
      break;
    case "session-renamed":
    case "todos-set":
    case "branch":
    case "warning":
    case "work-kept":
    case "work-delivered":
      foldNote(state, entry);
      break;
    case "hook-ran":
    case "child-started":
    case "child-ended":
    case "instructions-read":
    case "tools-found":
      foldAddition(state, entry);
      break;
    case "changes-undone":
      changesUndone(state, entry);
      break;
    case "changes-kept":
      markKept(state.changes, entry);
      break;
    case "results-trimmed":
      trimResults(state, entry);
      break;
    case "compaction":
      compactMessages(state, entry);
      break;
    default:
      if (entry.type !== "unknown") aboutTurn(state, entry);
  }
  countWaiting(state, entry.at);
  return state;
}

function sessionStart(
  state: SessionState,
  { session, workspace, parent, checkout }: FactOf<"session-start">,
): void {
  state.session = session;
  state.workspace = workspace;
  if (parent) state.parent = parent;
  if (checkout) state.checkout = beginCheckout(checkout);
}

function foldNote(
  state: SessionState,
  entry: { seq: number } & (
    | FactOf<"session-renamed">
    | FactOf<"todos-set">
    | FactOf<"branch">
    | FactOf<"work-kept">
    | FactOf<"work-delivered">
    | FactOf<"warning">
  ),
): void {
  if (entry.type === "session-renamed") state.title = entry.title;
  else if (entry.type === "todos-set") state.todos = entry.items;
  else if (entry.type === "branch") state.branch = entry;
  else if (entry.type === "work-kept") workKept(state, entry);
  else if (entry.type === "warning") state.warned.add(entry.code);
}

/** Folds facts that extensions add. */
function foldAddition(
  state: SessionState,
  entry:
    | FactOf<"hook-ran">
    | FactOf<"child-started">
    | FactOf<"child-ended">
    | FactOf<"instructions-read">
    | FactOf<"tools-found">,
): void {
  if (entry.type === "instructions-read") state.instructions = entry.files;
  else if (entry.type === "tools-found") for (const name of entry.names) state.toolsFound.add(name);
  else if (entry.type === "child-ended") childEnded(state, entry);
  else beforeOrBeside(state, entry);
}

/** Folds facts about a goal, which holds for all turns, and asides, which belong to none. */
function besideTurns(
  state: SessionState,
  entry: FactOf<"aside-answered"> | FactOf<"goal-set"> | FactOf<"goal-judged">,
): void {
  if (entry.type === "aside-answered") return pay(state, undefined, entry);
  if (entry.type === "goal-judged") pay(state, currentTurn(state), entry);
  const condition = entry.type === "goal-set" ? entry.condition : entry.met ? undefined : state.goal;
  if (condition === undefined) delete state.goal;
  else state.goal = condition;
}

type TurnFact =
  | "user-message"
  | "message-queued"
  | "message-withdrawn"
  | "steer"
  | "turn-start"
  | "turn-resumed"
  | "mode-set"
  | "model-set"
  | "reasoning-set"
  | "failure-detected"
  | "nudge"
  | "context-added"
  | "grant-revoked"
  | "limit-asked"
  | "limit-answered"
  | "aside-answered"
  | "goal-set"
  | "goal-judged"
  | "turn-end";

/** Folds facts that begin, steer and end a turn. */
function aboutTurn(state: SessionState, entry: Extract<Entry, { type: TurnFact }>): void {
  switch (entry.type) {
    case "user-message":
      return userMessage(state, entry);
    case "message-queued":
      remember(state, entry.id);
      return void state.queue.push(waiting(entry));
    case "message-withdrawn":
      return leaveQueue(state, entry.id);
    case "steer":
      return steer(state, entry);
    case "turn-start":
      state.model = entry.model;
      delete state.chosenModel;
      state.mode = entry.mode;
      state.modes.add(entry.mode);
      if (entry.reasoning) state.reasoning = entry.reasoning;
      return undefined;
    case "mode-set":
      state.mode = entry.mode;
      state.modes.add(entry.mode);
      return undefined;
    case "model-set":
      state.chosenModel = entry.model;
      if (entry.because !== undefined) takeOver(state);
      return undefined;
    case "reasoning-set":
      state.reasoning = entry.reasoning;
      return undefined;
    case "failure-detected":
    case "nudge":
    case "context-added":
      return addNotice(state, entry);
    case "grant-revoked":
      return grantRevoked(state, entry);
    case "limit-asked":
      state.limitAsked = entry;
      return undefined;
    case "limit-answered":
      return limitAnswered(state, entry);
    case "aside-answered":
    case "goal-set":
    case "goal-judged":
      return besideTurns(state, entry);
    case "turn-resumed":
      return pause(state, entry.idleMs);
    case "turn-end":
      return turnEnd(state, entry);
    default:
      return entry satisfies never;
  }
}

const waiting = ({ id, content, when, said, by }: FactOf<"message-queued">): QueuedMessage => ({
  id,
  content,
  when,
  said,
  by,
});

function changesUndone(state: SessionState, entry: FactOf<"changes-undone"> & { seq: number }): void {
  undone(state.changes, entry);
  addUntold(state.untold, entry);
  workChanged(state, entry);
  for (const file of entry.changes) state.seen.delete(file.path);
  takenBack(state, entry.seq);
}

/** An undo invalidates the open turn's earlier checks: they must succeed again. */
function takenBack(state: SessionState, seq: number): void {
  const turn = currentTurn(state);
  if (turn && state.status === "running") turn.takenBackAt = seq;
}

function pause(state: SessionState, ms: number): void {
  const turn = currentTurn(state);
  if (!turn) return;
  const away = Math.max(0, ms);
  turn.waitedMs += away;
  if (turn.failingSince !== undefined) turn.failingSince += away;
}

/** Another model answers in place of one that failed: what that one could not do says nothing of it. */
function takeOver(state: SessionState): void {
  beginContext(state.context);
  const turn = currentTurn(state);
  if (!turn) return;
  turn.owesAnswer = true;
  turn.failuresInARow = 0;
  delete turn.failingSince;
}

/** A turn's clock stops while it waits for a person. */
function countWaiting(state: SessionState, at: number): void {
  const turn = currentTurn(state);
  if (!turn) return;
  const waits = awaitsPerson(state);
  if (waits) turn.waitingSince ??= at;
  else if (turn.waitingSince !== undefined) {
    turn.waitedMs += Math.max(0, at - turn.waitingSince);
    delete turn.waitingSince;
  }
}

function userMessage(
  state: SessionState,
  entry: FactOf<"user-message"> & { turn: number; at: number },
): void {
  if (state.status === "idle") {
    state.status = "running";
    state.draft = emptyDraft();
    state.turn = entry.turn;
    beginContext(state.context);
    state.turns.push({
      turn: entry.turn,
      request: entry.content,
      steers: [],
      text: "",
      lastText: "",
      answers: 0,
      failuresInARow: 0,
      owesAnswer: false,
      lastCalls: [],
      callIds: [],
      changes: [],
      usage: noUsage(),
      cost: 0,
      nudges: new Map(),
      detected: [],
      raised: new Map(),
      waitedMs: 0,
      startedAt: entry.at,
    });
  }
  leaveQueue(state, entry.queued);
  remember(state, entry.id);
  say(state, entry.content);
}

function steer(state: SessionState, { content, queued, id }: FactOf<"steer">): void {
  leaveQueue(state, queued);
  remember(state, id);
  const turn = currentTurn(state);
  if (turn) {
    turn.steers.push(content);
    turn.owesAnswer = true;
    turn.nudges.clear(); // earlier nudges were about earlier messages
  }
  say(state, content);
}

/** Messages are recognised by the identity of their parts, so each gets copies of its own. */
function say(state: SessionState, parts: readonly ContentPart[]): void {
  const content = parts.map((part) => ({ ...part }));
  state.said.push(content);
  state.messages.push({ role: "user", content });
}

function remember(state: SessionState, id: string | undefined): void {
  if (id !== undefined) state.sent = [...state.sent, id].slice(-mostKnownMessages);
}

function leaveQueue(state: SessionState, id: string | undefined): void {
  if (id !== undefined) state.queue = state.queue.filter((message) => message.id !== id);
}

/** Adds a message to the model that no person sent. */
function addNotice(
  state: SessionState,
  entry: FactOf<"failure-detected"> | FactOf<"nudge"> | FactOf<"context-added">,
): void {
  if (entry.type === "context-added") state.added.add(addedKey(entry));
  const turn = currentTurn(state);
  if (turn) turn.owesAnswer = true;
  if (entry.type === "nudge") {
    turn?.nudges.set(entry.code, (turn.nudges.get(entry.code) ?? 0) + 1);
    const told = modes.find((mode) => modeCode(mode) === entry.code);
    if (told) state.toldMode = told;
    if (entry.code === undoneCode) state.untold.clear();
  }
  if (entry.type === "failure-detected")
    turn?.detected.push({ pattern: entry.pattern, answers: turn.answers });
  state.messages.push({ role: "user", content: [{ type: "text", text: entry.text }] });
}

function limitAnswered(state: SessionState, { limit, answer, most }: FactOf<"limit-answered">): void {
  delete state.limitAsked;
  const turn = currentTurn(state);
  if (answer === "extend" && most !== undefined) turn?.raised.set(limit, most);
  else if (turn) turn.halted = limit;
}

function turnEnd(state: SessionState, entry: FactOf<"turn-end"> & { at: number }): void {
  pushDraft(state);
  slimTurn(state);
  state.status = "idle";
  delete state.limitAsked;
  const turn = currentTurn(state);
  if (!turn) return;
  turn.stopped = entry.stopped;
  turn.endedAt = entry.at;
}
