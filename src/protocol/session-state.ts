/** The state a session's facts add up to, and queries on it. */

import type { JsonObject } from "../base/json.ts";
import type {
  ChangedFile,
  Delivery,
  FactOf,
  Grant,
  LimitName,
  Mode,
  FailurePattern,
  TurnStopReason,
  Todo,
} from "./facts.ts";
import { type ChangeLog, emptyChanges, type UntoldChange } from "./fold-changes.ts";
import type { CheckoutState } from "./fold-checkout.ts";
import { type ContextState, emptyContext } from "./fold-context.ts";
import type { StagedChanges } from "./fold-staged.ts";
import {
  type AssistantPart,
  type ToolCall,
  type Message,
  type Opaque,
  type ContentPart,
  type Reasoning,
  textOf,
} from "./messages.ts";
import type { Usage } from "./model-events.ts";

/**
 * Everything known about one call. It is open until it has a result. Its arguments and result are held while they are
 * in the prompt and its turn is open; `resultAt` is the number of the fact with the whole result.
 */
export type CallState = {
  call: ToolCall;
  turn: number;
  /** The number of the answer that contains the call, within its turn, from 1. */
  answer: number;
  decision?: FactOf<"decision">;
  asked?: FactOf<"approval-asked">;
  answered?: FactOf<"approval-answered">;
  question?: FactOf<"question-asked">;
  reply?: FactOf<"question-answered">;
  /** The hooks before the call have run; `rewritten`: the arguments as they left them. */
  hooked?: true;
  rewritten?: JsonObject;
  /** Why a hook requires a person's answer. */
  hookAsks?: string;
  /** Sessions that the call gave a task. */
  children?: string[];
  /** The children that have ended. */
  ended?: string[];
  start?: FactOf<"call-start">;
  /** It has run, and a person has yet to agree to what it changed. */
  tried?: FactOf<"command-tried">;
  applied?: FactOf<"change-applied">;
  result?: FactOf<"result">;
  resultAt?: number;
  /** When the call ended, in milliseconds since 1970; known while its turn is open. */
  endedAt?: number;
};

/** One request: what was said and done until it ended. @experimental */
export type TurnState = {
  turn: number;
  request: ContentPart[];
  /** Messages added while the turn ran. */
  steers: ContentPart[][];
  /** The text of all answers of the turn, blocks joined by a blank line (E2, E7). */
  text: string;
  /** Its last non-blank text block. */
  lastText: string;
  answers: number;
  /** Failed answers since the last complete one. */
  failuresInARow: number;
  /** When the first of these ended, in milliseconds since 1970. */
  failingSince?: number;
  /** A message arrived since the model's last answer, and the model has not been asked again yet. */
  owesAnswer: boolean;
  /** The calls of its last answer. */
  lastCalls: readonly string[];
  callIds: string[];
  changes: ChangedFile[];
  usage: Usage;
  /** US dollars, as far as prices are known. */
  cost: number;
  /** Number of nudges by code, since a person's last message. */
  nudges: Map<string, number>;
  /** Patterns detected in the turn, each with the number of answers at that time. */
  detected: { pattern: FailurePattern; answers: number }[];
  /** Limits raised for the turn. */
  raised: Map<LimitName, number>;
  /** The limit at which a person stopped the turn. */
  halted?: LimitName;
  /** Milliseconds spent waiting: for a person, or because no program worked on the turn. */
  waitedMs: number;
  /** Start of the current wait, in milliseconds since 1970. */
  waitingSince?: number;
  /** The number of the last fact that undid changes while the turn was open. */
  takenBackAt?: number;
  stopped?: TurnStopReason;
  startedAt: number;
  endedAt?: number;
};

/** The answer being written, or complete and waiting for the results of its calls. */
export type AnswerDraft = {
  content: AssistantPart[];
  callIds: string[];
  /** Number of its calls without a result. */
  open: number;
  /** The turn's last text before this answer. */
  lastText: string;
  ended?: FactOf<"answer-end">;
  state?: Opaque;
};

/** A message that waits for the running turn, with what hooks added to it. */
export type QueuedMessage = Pick<FactOf<"message-queued">, "said" | "by"> & {
  id: string;
  content: ContentPart[];
  when: Delivery;
};

/** A message that leaves the queue, as its fact has it. */
export const takenMessage = ({ id, content, by }: QueuedMessage) => ({ content, queued: id, by });

/** Hook texts that go into the prompt with a message that leaves the queue. */
export const saidTo = ({ said = [] }: QueuedMessage): FactOf<"context-added">[] =>
  said.map((one) => ({ type: "context-added", ...one }));

/** The state that a session's facts add up to. @experimental */
export type SessionState = {
  session: string;
  /** Absolute path. */
  workspace: string;
  /** Set by a person; if undefined, the session's first words serve as its title. */
  title?: string;
  /** The number of the newest fact. */
  seq: number;
  /** The number of the open or last turn; 0 before the first. */
  turn: number;
  /** Number of finished text and reasoning blocks; the next one gets this number plus one. */
  blocks: number;
  status: "idle" | "running";
  /** The model of the open or last turn; empty before the first. */
  model: string;
  /** The model chosen since then, for the next turn. */
  chosenModel?: string;
  /** How much the model thinks; absent until a fact sets it. */
  reasoning?: Reasoning;
  /** "ask" until a fact sets it. */
  mode: Mode;
  /** Every mode the session has been in; empty until a fact sets one. */
  modes: Set<Mode>;
  /** The mode the model was last informed of, if that is still in the prompt. */
  toldMode?: Mode;
  turns: TurnState[];
  /** The conversation as sent to the model; complete up to the last answer whose calls all have results. */
  messages: Message[];
  /**
   * Everything people said, word for word, in order, including what `messages` only summarises: messages, and results
   * that hold a person's answer. The part objects are the same as in `messages`.
   */
  said: ContentPart[][];
  /** How often `messages` was compacted. */
  compactions: number;
  /** Calls whose results are no longer in the prompt in full. */
  trimmed: Set<string>;
  /** The message that stands for everything compacted away. */
  brief?: Message;
  /** The known size of the prompt. */
  context: ContextState;
  /** Queued messages, in order of arrival. */
  queue: QueuedMessage[];
  /** Ids of the newest messages, to recognise a message sent twice. */
  sent: string[];
  /** The limit a person is being asked about. */
  limitAsked?: FactOf<"limit-asked">;
  todos: Todo[];
  /** What has to be met and verified before a turn is done. */
  goal?: string;
  /** The instruction files in force. */
  instructions: FactOf<"instructions-read">["files"];
  /** Texts added to the prompt that are still in it: "from name". */
  added: Set<string>;
  /** Tools the model found by search. */
  toolsFound: Set<string>;
  /** The session and call that gave this session its task. */
  parent?: { session: string; callId: string };
  branch?: FactOf<"branch">;
  /** The git repository that the workspace was made from, and what of the work since is stored. */
  checkout?: CheckoutState;
  /** Codes of warnings given so far: some are given only once. */
  warned: Set<string>;
  draft: AnswerDraft;
  calls: Map<string, CallState>;
  /** Calls without a result, in the order the model wrote them. */
  open: Set<string>;
  lastAnswer?: FactOf<"answer-end">;
  /** Workspace path → hash of the content the model last read or wrote; `null`: it was deleted. */
  seen: Map<string, string | null>;
  /** Approvals beyond a single call. Those for the project are stored outside the session. */
  grants: { covers: Grant; scope: "turn" | "session"; turn: number }[];
  /** Changes that were shown but not made, by token. */
  staged: StagedChanges;
  /** Each turn's file changes and their present status. */
  changes: ChangeLog;
  /** By path: what people undid and redid since the model was last told of it. */
  untold: Map<string, UntoldChange>;
  usage: Usage;
  /** US dollars, as far as prices are known. */
  cost: number;
  /** Answers without a known price. */
  unpriced: number;
};

/** The state before the first fact. @experimental */
export const emptyState = (): SessionState => ({
  session: "",
  workspace: "",
  seq: 0,
  turn: 0,
  blocks: 0,
  status: "idle",
  model: "",
  mode: "ask",
  modes: new Set(),
  turns: [],
  messages: [],
  said: [],
  compactions: 0,
  trimmed: new Set(),
  context: emptyContext(),
  queue: [],
  sent: [],
  todos: [],
  instructions: [],
  added: new Set(),
  toolsFound: new Set(),
  warned: new Set(),
  draft: emptyDraft(),
  calls: new Map(),
  open: new Set(),
  seen: new Map(),
  grants: [],
  staged: new Map(),
  changes: emptyChanges(),
  untold: new Map(),
  usage: noUsage(),
  cost: 0,
  unpriced: 0,
});

export const noUsage = (): Usage => ({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
});

export const emptyDraft = (lastText = ""): AnswerDraft => ({ content: [], callIds: [], open: 0, lastText });

/** The session's settings from here on, each only if a fact has set it. */
export const settingsTold = ({ mode, modes, model, chosenModel, reasoning }: SessionState) => ({
  mode: modes.size === 0 ? undefined : mode,
  reasoning,
  model: chosenModel ?? (model === "" ? undefined : model),
});

/** The key of a text in `added`. */
export const addedKey = ({ from, name }: Pick<FactOf<"context-added">, "from" | "name">): string =>
  `${from} ${name}`;

/** The code of the message that informs the model of a mode. */
export const modeCode = (mode: Mode): string => `mode-${mode}`;
/** The code of the message that informs the model of what people undid. */
export const undoneCode = "changes-undone";
/** Whether a message informs the model of what a person did, who can see it already. */
export const isPersonsCode = (code: string): boolean => code === undoneCode || code.startsWith("mode-");

/** A call's display name: its tool's name if nothing says more. */
export const titleOfCall = ({ call, asked, start, result }: CallState): string =>
  start?.title ?? asked?.title ?? result?.title ?? call.name;

/** The open or last turn. @experimental */
export const currentTurn = (state: SessionState): TurnState | undefined => state.turns.at(-1);

/** Approval requests without an answer. @experimental */
export function pendingApprovals(state: SessionState): FactOf<"approval-asked">[] {
  return [...state.open].flatMap((id) => {
    const known = state.calls.get(id);
    return known?.asked && !known.answered && !known.result ? [known.asked] : [];
  });
}

/** The model's questions to a person that have no answer. @experimental */
export function pendingQuestions(state: SessionState): FactOf<"question-asked">[] {
  return [...state.open].flatMap((id) => {
    const known = state.calls.get(id);
    return known?.question && !known.reply && !known.result ? [known.question] : [];
  });
}

/** Whether nothing can proceed before a person answers. */
export const awaitsPerson = (state: SessionState): boolean =>
  state.status === "running" &&
  (state.limitAsked !== undefined ||
    pendingApprovals(state).length > 0 ||
    pendingQuestions(state).length > 0);

/** The text-only conversation (E3, E4): one user and one assistant text for each turn. @experimental */
export function conversation(state: SessionState): { role: "user" | "assistant"; text: string }[] {
  return state.turns.flatMap((turn) => {
    const said = [turn.request, ...turn.steers].map(textOf).join("\n\n");
    const user = { role: "user" as const, text: said };
    return turn.text === "" ? [user] : [user, { role: "assistant" as const, text: turn.text }];
  });
}
