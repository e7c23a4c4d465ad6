/** What a session comes to, as the fold of its facts keeps it, and questions that can be asked of it. */

import type { JsonObject } from "../base/json.ts";
import type {
  ChangedFile,
  Delivery,
  FactOf,
  Grant,
  LimitName,
  Mode,
  Pattern,
  Stopped,
  Todo,
} from "./facts.ts";
import { type ChangeLog, emptyChanges } from "./fold-changes.ts";
import { type ContextState, emptyContext } from "./fold-context.ts";
import type { StagedChanges } from "./fold-staged.ts";
import { type AssistantPart, type Call, type Message, type Opaque, type Part, textOf } from "./messages.ts";
import type { Usage } from "./model-events.ts";

/**
 * All that is known of one call. It is open until it has a result. Its arguments and its result are held as long as the
 * model is told them and its turn goes on; `resultAt` is the number of the fact that has the whole result.
 */
export type CallState = {
  call: Call;
  turn: number;
  /** Which answer of its turn asked for it, counted from 1. */
  answer: number;
  decision?: FactOf<"decision">;
  asked?: FactOf<"approval-asked">;
  answered?: FactOf<"approval-answered">;
  question?: FactOf<"question-asked">;
  reply?: FactOf<"question-answered">;
  /** The hooks before the call have run; `rewritten`: its arguments as they left them. */
  hooked?: true;
  rewritten?: JsonObject;
  /** Why a hook wants a person to be asked. */
  hookAsks?: string;
  /** The sessions that were given their tasks by it. */
  children?: string[];
  /** Those of them that have ended. */
  ended?: string[];
  start?: FactOf<"call-start">;
  applied?: FactOf<"change-applied">;
  result?: FactOf<"result">;
  resultAt?: number;
  /** When it was over, in milliseconds since 1970; known while its turn goes on. */
  endedAt?: number;
};

export type TurnState = {
  turn: number;
  request: Part[];
  /** What else was said to it while it ran. */
  steers: Part[][];
  /** The text of all answers of the turn, blocks joined by a blank line (E2, E7). */
  text: string;
  /** Its last block of text that says something. */
  lastText: string;
  answers: number;
  /** Answers that failed since the last whole one. */
  failuresInARow: number;
  /** Something was said to it since its last answer, which the model has not been asked about yet. */
  owesAnswer: boolean;
  /** The calls of its last answer. */
  lastCalls: readonly string[];
  callIds: string[];
  changes: ChangedFile[];
  usage: Usage;
  /** US dollars, as far as prices are known. */
  cost: number;
  /** How often it was told to go on, by why, since a person has last said something. */
  nudges: Map<string, number>;
  /** What was found out about it, with the number of its answers then. */
  detected: { pattern: Pattern; answers: number }[];
  /** Limits that were raised for it. */
  raised: Map<LimitName, number>;
  /** The limit at which a person told it to stop. */
  halted?: LimitName;
  /** Milliseconds for which it waited: for a person, or because no program worked on it. */
  waitedMs: number;
  /** Since when it waits now, in milliseconds since 1970. */
  waitingSince?: number;
  /** The number of the last fact that took changes back while it was open. */
  takenBackAt?: number;
  stopped?: Stopped;
  startedAt: number;
  endedAt?: number;
};

/** The answer being written, or written and waiting for the results of its calls. */
export type Draft = {
  content: AssistantPart[];
  callIds: string[];
  /** How many of its calls have no result. */
  open: number;
  /** The turn's last text before it. */
  lastText: string;
  ended?: FactOf<"answer-end">;
  state?: Opaque;
};

/** A message that waits for the running turn, and what hooks have to say to it. */
export type QueuedMessage = Pick<FactOf<"message-queued">, "said"> & {
  id: string;
  content: Part[];
  when: Delivery;
};

/** What the model is told with a message that waits no more. */
export const saidTo = ({ said = [] }: QueuedMessage): FactOf<"context-added">[] =>
  said.map((one) => ({ type: "context-added", ...one }));

/** What the facts of a session add up to. */
export type SessionState = {
  /** Its id. */
  session: string;
  /** Absolute. */
  workspace: string;
  /** Given by a person; undefined: it is called by its first words. */
  title?: string;
  /** The number of the newest fact. */
  seq: number;
  /** The number of the open or last turn; 0 before the first. */
  turn: number;
  /** Finished text and reasoning blocks: the next one gets this number plus one. */
  blocks: number;
  status: "idle" | "running";
  /** The model of the open or last turn; empty before the first. */
  model: string;
  /** The model that was chosen since then. */
  chosenModel?: string;
  /** "ask" until one is told. */
  mode: Mode;
  /** All modes that the session has been in; empty until one is told. */
  modes: Set<Mode>;
  /** The mode that the model was last told of, as far as it still knows. */
  toldMode?: Mode;
  turns: TurnState[];
  /** The conversation as a model is told it; complete up to the last answer whose calls all have results. */
  messages: Message[];
  /**
   * What people have said, word for word, in order: also what `messages` tells only in short. Messages, and results in
   * which the model is told an answer; their parts are the very same.
   */
  said: Part[][];
  /** How often `messages` was shortened. */
  compactions: number;
  /** Calls whose results the model is not told in full any more. */
  trimmed: Set<string>;
  /** The message that stands for what is told in short only. */
  brief?: Message;
  /** What is known of the prompt's size. */
  context: ContextState;
  /** Messages that wait, in the order in which they came. */
  queue: QueuedMessage[];
  /** The ids of the newest messages, by which one that was sent twice is known. */
  sent: string[];
  /** The limit that a person is asked about. */
  limitAsked?: FactOf<"limit-asked">;
  todos: Todo[];
  /** The instruction files that hold. */
  instructions: FactOf<"instructions-read">["files"];
  /** What was added to what the model is told, as far as it still knows: "from name". */
  added: Set<string>;
  /** Tools that the model has looked for. */
  toolsFound: Set<string>;
  /** The session whose call gave this one its task. */
  parent?: { session: string; callId: string };
  branch?: FactOf<"branch">;
  /** The codes of what a person was warned of: once is enough for some. */
  warned: Set<string>;
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
  /** US dollars, as far as prices are known. */
  cost: number;
  /** Answers whose price is not known. */
  unpriced: number;
};

/** The state before the first fact. */
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

export const emptyDraft = (lastText = ""): Draft => ({ content: [], callIds: [], open: 0, lastText });

/** The mode and the model of the session from here on, as far as it has been told any. */
export const settingsTold = ({ mode, modes, model, chosenModel }: SessionState) => ({
  mode: modes.size === 0 ? undefined : mode,
  model: chosenModel ?? (model === "" ? undefined : model),
});

/** By what `added` knows a text. */
export const addedKey = ({ from, name }: Pick<FactOf<"context-added">, "from" | "name">): string =>
  `${from} ${name}`;

/** The code of the message that tells the model of a mode. */
export const modeCode = (mode: Mode): string => `mode-${mode}`;
export const isModeCode = (code: string): boolean => code.startsWith("mode-");

/** As people know a call: by its tool's name where nothing tells more. */
export const titleOfCall = ({ call, asked, start, result }: CallState): string =>
  start?.title ?? asked?.title ?? result?.title ?? call.name;

/** The open or last turn. */
export const currentTurn = (state: SessionState): TurnState | undefined => state.turns.at(-1);

/** Calls that a person has been asked about and not yet answered. */
export function pendingApprovals(state: SessionState): FactOf<"approval-asked">[] {
  return [...state.open].flatMap((id) => {
    const known = state.calls.get(id);
    return known?.asked && !known.answered && !known.result ? [known.asked] : [];
  });
}

/** Questions of the model to a person that have no answer. */
export function pendingQuestions(state: SessionState): FactOf<"question-asked">[] {
  return [...state.open].flatMap((id) => {
    const known = state.calls.get(id);
    return known?.question && !known.reply && !known.result ? [known.question] : [];
  });
}

/** Whether nothing can go on before a person has answered something. */
export const awaitsPerson = (state: SessionState): boolean =>
  state.status === "running" &&
  (state.limitAsked !== undefined ||
    pendingApprovals(state).length > 0 ||
    pendingQuestions(state).length > 0);

/** The text-only conversation (E3, E4): one user and one assistant text for each turn. */
export function conversation(state: SessionState): { role: "user" | "assistant"; text: string }[] {
  return state.turns.flatMap((turn) => {
    const said = [turn.request, ...turn.steers].map(textOf).join("\n\n");
    const user = { role: "user" as const, text: said };
    return turn.text === "" ? [user] : [user, { role: "assistant" as const, text: turn.text }];
  });
}
