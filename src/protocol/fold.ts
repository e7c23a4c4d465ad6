/**
 * What the facts add up to: prompt, open calls, approvals, files seen, usage.
 * Incremental: `step` changes the state in place by one entry, so a round costs what it added.
 */
import type { ChangedFile, Entry, FactOf, Grant, Mode, Stopped } from "./facts.ts";
import type { AssistantPart, Call, Message, Opaque, Part } from "./messages.ts";
import { changed, type ChangeLog, emptyChanges, kept, undone } from "./fold-changes.ts";
import { stage, type StagedChanges, useUp } from "./fold-staged.ts";
import type { Usage } from "./model-events.ts";

/** All that is known of one call. It is open until it has a result. */
export type CallState = {
  call: Call;
  turn: number;
  decision?: FactOf<"decision">;
  asked?: FactOf<"approval-asked">;
  answered?: FactOf<"approval-answered">;
  start?: FactOf<"call-start">;
  applied?: FactOf<"change-applied">;
  result?: FactOf<"result">;
};

export type TurnState = {
  turn: number;
  request: Part[];
  /** The text of all answers of the turn, blocks joined by a blank line (E2, E7). */
  text: string;
  /** Its last block of text that says something. */
  lastText: string;
  answers: number;
  /** Answers that failed since the last whole one. */
  failuresInARow: number;
  /** The calls of its last answer. */
  lastCalls: readonly string[];
  callIds: string[];
  changes: ChangedFile[];
  stopped?: Stopped;
  startedAt: number;
  endedAt?: number;
};

/** The answer being written, or written and waiting for the results of its calls. */
type Draft = {
  content: AssistantPart[];
  callIds: string[];
  /** How many of its calls have no result. */
  open: number;
  /** The turn's last text before it. */
  lastText: string;
  ended?: FactOf<"answer-end">;
  state?: Opaque;
};

export type SessionState = {
  session: string;
  workspace: string;
  seq: number;
  /** The number of the open or last turn; 0 before the first. */
  turn: number;
  /** Finished text and reasoning blocks: the next one gets this number plus one. */
  blocks: number;
  status: "idle" | "running";
  model: string;
  mode: Mode;
  turns: TurnState[];
  /** The conversation as a model is told it; complete up to the last answer whose calls all have results. */
  messages: Message[];
  draft: Draft;
  calls: Map<string, CallState>;
  /** Calls without a result, in the order the model wrote them. */
  open: Set<string>;
  lastAnswer?: FactOf<"answer-end">;
  /** Workspace path → hash of the content that the model last read or wrote; `null`: it was deleted. */
  seen: Map<string, string | null>;
  /** What a person has allowed beyond one call. What holds for the project is kept outside the session. */
  grants: { covers: Grant; scope: "turn" | "session"; turn: number }[];
  /** Changes that are shown and not made, by their tokens. */
  staged: StagedChanges;
  /** What each turn did to files, and what has become of that. */
  changes: ChangeLog;
  usage: Usage;
};

export const emptyState = (): SessionState => ({
  session: "",
  workspace: "",
  seq: 0,
  turn: 0,
  blocks: 0,
  status: "idle",
  model: "",
  mode: "ask",
  turns: [],
  messages: [],
  draft: emptyDraft(),
  calls: new Map(),
  open: new Set(),
  seen: new Map(),
  grants: [],
  staged: new Map(),
  changes: emptyChanges(),
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
});

const emptyDraft = (lastText = ""): Draft => ({ content: [], callIds: [], open: 0, lastText });

/** The open or last turn. */
export const currentTurn = (state: SessionState): TurnState | undefined => state.turns.at(-1);

/** Calls that a person has been asked about and not yet answered. */
export function pendingApprovals(state: SessionState): FactOf<"approval-asked">[] {
  return [...state.open].flatMap((id) => {
    const known = state.calls.get(id);
    return known?.asked && !known.answered && !known.result ? [known.asked] : [];
  });
}

/** The text-only conversation (E3, E4): one user and one assistant text for each turn. */
export function conversation(state: SessionState): { role: "user" | "assistant"; text: string }[] {
  return state.turns.flatMap((turn) => {
    const said = turn.request.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    const user = { role: "user" as const, text: said };
    return turn.text === "" ? [user] : [user, { role: "assistant" as const, text: turn.text }];
  });
}

/** Adds one entry to the state, in place, and returns it. */
export function step(state: SessionState, entry: Entry): SessionState {
  state.seq = entry.seq;
  switch (entry.type) {
    case "session-start":
      state.session = entry.session;
      state.workspace = entry.workspace;
      break;
    case "user-message":
      userMessage(state, entry);
      break;
    case "turn-start":
      state.model = entry.model;
      state.mode = entry.mode;
      break;
    case "reasoning":
    case "text":
    case "call":
      said(state, entry);
      break;
    case "answer-end":
      answerEnd(state, entry);
      break;
    case "decision":
    case "approval-asked":
    case "approval-answered":
    case "call-start":
    case "change-staged":
    case "change-applied":
    case "result":
      aboutCall(state, entry);
      break;
    case "changes-undone":
      undone(state.changes, entry);
      for (const file of entry.changes) state.seen.delete(file.path);
      break;
    case "changes-kept":
      kept(state.changes, entry);
      break;
    case "turn-end":
      turnEnd(state, entry);
      break;
    case "warning":
    case "unknown":
      break;
    default:
      entry satisfies never;
  }
  return state;
}

function userMessage(
  state: SessionState,
  entry: FactOf<"user-message"> & { turn: number; at: number },
): void {
  if (state.status === "idle") {
    state.status = "running";
    state.draft = emptyDraft();
    state.turn = entry.turn;
    state.turns.push({
      turn: entry.turn,
      request: entry.content,
      text: "",
      lastText: "",
      answers: 0,
      failuresInARow: 0,
      lastCalls: [],
      callIds: [],
      changes: [],
      startedAt: entry.at,
    });
  }
  state.messages.push({ role: "user", content: entry.content });
}

function said(
  state: SessionState,
  entry: (FactOf<"reasoning"> | FactOf<"text"> | FactOf<"call">) & { turn: number },
): void {
  forgetBroken(state);
  const turn = currentTurn(state);
  if (entry.type === "call") {
    state.draft.open += 1;
    state.draft.content.push({ type: "call", call: entry.call });
    state.draft.callIds.push(entry.call.id);
    state.calls.set(entry.call.id, { call: entry.call, turn: entry.turn });
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
      ...(entry.state === undefined ? {} : { state: entry.state }),
    });
  }
}

/** A broken answer without calls is told again from the start: what there was of it leaves no trace. */
function forgetBroken(state: SessionState): void {
  if (!state.draft.ended) return;
  const turn = currentTurn(state);
  if (turn) turn.lastText = state.draft.lastText;
  state.draft = emptyDraft(turn?.lastText);
}

function answerEnd(state: SessionState, entry: FactOf<"answer-end">): void {
  forgetBroken(state);
  state.draft.ended = entry;
  if (entry.state !== undefined) state.draft.state = entry.state;
  state.lastAnswer = entry;
  addUsage(state.usage, entry.usage);
  const turn = currentTurn(state);
  if (turn) {
    turn.answers += 1;
    turn.lastCalls = state.draft.callIds;
    turn.failuresInARow = entry.reason === "failed" ? turn.failuresInARow + 1 : 0;
  }
  settle(state);
}

function aboutCall(
  state: SessionState,
  entry:
    | FactOf<"decision">
    | FactOf<"approval-asked">
    | FactOf<"approval-answered">
    | FactOf<"call-start">
    | FactOf<"change-staged">
    | FactOf<"change-applied">
    | FactOf<"result">,
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
    case "call-start":
      known.start = entry;
      break;
    case "change-staged":
      stage(state.staged, entry);
      break;
    case "change-applied":
      known.applied = entry;
      if (entry.token !== undefined) useUp(state.staged, entry.token);
      currentTurn(state)?.changes.push(...entry.changes);
      changed(state.changes, known.turn, { files: entry.changes, isCertain: true });
      // What a command wrote, the model has not seen: where it had, it must read again before it edits.
      if (known.start?.does !== "execute")
        for (const file of entry.changes) state.seen.set(file.path, file.after);
      break;
    case "result":
      known.result = entry;
      perhapsChanged(state, known, entry);
      if (state.open.delete(entry.callId)) state.draft.open -= 1;
      for (const { path, hash } of entry.seen ?? []) state.seen.set(path, hash);
      settle(state);
      break;
    default:
      entry satisfies never;
  }
}

/** A crash of an earlier version between the write and its fact left only the intent: each file may be written or not. */
function perhapsChanged(state: SessionState, known: CallState, { outcome }: FactOf<"result">): void {
  const { start, applied, turn } = known;
  if (outcome === "interrupted" && start?.changes && !applied)
    changed(state.changes, turn, { files: start.changes, isCertain: false });
}

/** The first answer wins; a wider yes becomes a grant. */
function approvalAnswered(state: SessionState, known: CallState, entry: FactOf<"approval-answered">): void {
  if (known.answered) return;
  known.answered = entry;
  const { covers } = known.asked ?? {};
  const { answer, scope } = entry;
  if (answer === "allow" && covers && (scope === "turn" || scope === "session"))
    state.grants.push({ covers, scope, turn: known.turn });
}

/** Moves the answer into the conversation once it has ended and each of its calls has a result. */
function settle(state: SessionState): void {
  const { draft } = state;
  if (!draft.ended || draft.open > 0) return;
  const isBroken = draft.ended.reason === "failed" || draft.ended.reason === "interrupted";
  // Kept as the draft: forgotten when the model is asked again (a prompt must not end with half an answer),
  // told when the turn ends.
  if (isBroken && draft.callIds.length === 0) return;
  pushDraft(state);
}

function pushDraft(state: SessionState): void {
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
    ...(draft.state === undefined ? {} : { state: draft.state }),
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

/** Providers refuse messages of nothing but white space, and a person hears nothing in them (E5). */
const isMute = (part: AssistantPart): boolean =>
  part.type === "reasoning" || (part.type === "text" && part.text.trim() === "");

function turnEnd(state: SessionState, entry: FactOf<"turn-end"> & { at: number }): void {
  pushDraft(state);
  state.status = "idle";
  const turn = currentTurn(state);
  if (!turn) return;
  turn.stopped = entry.stopped;
  turn.endedAt = entry.at;
}

function addUsage(total: Usage, more: Usage | undefined): void {
  if (!more) return;
  total.inputTokens += more.inputTokens;
  total.outputTokens += more.outputTokens;
  total.cacheReadTokens = (total.cacheReadTokens ?? 0) + (more.cacheReadTokens ?? 0);
  total.cacheWriteTokens = (total.cacheWriteTokens ?? 0) + (more.cacheWriteTokens ?? 0);
  total.reasoningTokens = (total.reasoningTokens ?? 0) + (more.reasoningTokens ?? 0);
}
