/**
 * The blocks that make up a transcript and that any surface (terminal, page, editor) can draw. Plain data, never
 * changed in place.
 */

import type { Cost } from "../protocol/cost.ts";
import type {
  Culprit,
  Delivery,
  FactOf,
  LimitName,
  CallOutcome,
  ExecutionLocation,
  PlanStep,
  Risk,
  SandboxRecord,
  Scope,
  TurnStopReason,
  Todo,
} from "../protocol/facts.ts";
import type { ToolCall, Repair } from "../protocol/messages.ts";
import { namelessCall } from "../protocol/unreadable.ts";
import type { WaitingChanges } from "./waiting-changes.ts";

/** Lines added and removed. */
export type Badge = { added: number; removed: number };

/** `writing`: the model is still writing the call; `asking`: a person has been asked. The rest are outcomes. */
export type CallProgress = "writing" | "pending" | "asking" | "running" | CallOutcome;

export type CallBlock = {
  type: "call";
  key: string;
  callId: string;
  name: string;
  /** For people; provisional until the tool has supplied its own title. */
  title: string;
  state: CallProgress;
  does?: FactOf<"call-start">["does"];
  badge?: Badge;
  /** Lines that the call would change; none of it has been applied yet. */
  staged?: Badge;
  /** The first lines of the diff of a change that is staged, or was made unasked; `moreDiff` counts the rest. */
  diff?: readonly string[];
  moreDiff?: number;
  /** Changes that undo cannot revert, in words. */
  uncovered?: readonly string[];
  /** A command that ran before anybody agreed: its changes wait, or what became of them, in words. */
  held?: string;
  /** Why the call needed approval or was denied. */
  because?: string;
  /** Allowed without a question: by a person's rule, or because a person had allowed the same before. */
  allowed?: "rule" | "grant";
  /** The to-do list that it set. */
  todos?: readonly Todo[];
  /** The session that works on its task, and what that has taken once it has ended. */
  child?: string;
  spent?: { ms: number; cost: Cost };
  /** The last lines of its output, oldest first. */
  output: readonly string[];
  /** Number of output lines before those in `output`. */
  left?: number;
  /** The result holds only parts of the output; the full output is stored elsewhere. */
  isCut?: true;
  /** Number of lines after those in `output`: a failed call shows its first lines, where the error is. */
  more?: number;
  /** When the call began to run or, until then, to be written; in milliseconds since 1970. */
  startedAt?: number;
  /** Characters of the arguments received so far, while the model writes them. */
  characters?: number;
};

export type QuestionBlock = {
  type: "question";
  key: string;
  callId: string;
  title: string;
  because: string;
  risk: Risk;
  /** The whole command or the diff. */
  preview: string;
  /** The question is about file changes: `preview` is their diff. */
  isDiff?: true;
  /** Each policy layer's verdict, in order. */
  trace?: FactOf<"decision">["trace"];
  /** The command, where the answer may replace it. */
  command?: string;
  /** The part of the preview that weighs most, and why. */
  culprit?: Culprit;
  /** Where the command would run; the workspace's root by default. */
  place?: ExecutionLocation;
  /** What a broader approval would cover. */
  grant: string;
  /** The scopes that an answer can have; once, turn and session by default. */
  scopes?: readonly Scope[];
  /** How the command would be sandboxed. */
  sandbox?: SandboxRecord;
  /** What was repaired in the call. */
  repairs?: readonly Repair[];
  /** The command has run, and what it changed waits for the answer. */
  waiting?: WaitingChanges;
  answer?: Pick<FactOf<"approval-answered">, "answer" | "scope" | "by" | "note" | "command" | "drops">;
};

export type EndingBlock = {
  type: "ending";
  key: string;
  stopped: TurnStopReason;
  because?: string;
  /** Who stopped it, and the id of their signed-in browser, if they said so. */
  by?: string;
  device?: string;
  /** What to do next, shown after `because`. */
  advice?: string;
  changed: readonly string[];
  /** All that was changed was deleted. */
  isDeletion: boolean;
  badge: Badge;
  /** Changes that were staged but not applied. */
  staged?: { files: readonly string[]; badge: Badge };
  /** Titles of the calls that verified the changes. */
  verified: readonly string[];
  /** Without any: the command that would. */
  check?: string;
  /** How much of the turn's changes has been undone since. */
  undone: Extent;
};

/** Below a request that a limit stopped. */
export const goOnLine = "Say “Go on.” to go on.";

export type Extent = "nothing" | "part" | "all";

/** The ending without its reason, for use below a text that already gives it. */
export function withoutReason(ending: EndingBlock): EndingBlock {
  const { because: _, advice: __, ...rest } = ending;
  return { ...rest, stopped: "done" };
}

/**
 * An answer broke off; it may have been retried. The advice is shown where the turn ends. `text`: why, unless it was
 * interrupted. `said`: the keys of what it had said, which the next answer of the turn replaces; none if it had called a
 * tool, since the next one then goes on.
 */
type FailureBlock = { type: "failure"; key: string; text?: string; said: readonly string[] };

/** Only ever live: a retry of the provider is scheduled. `at` is when it was reported, in milliseconds since 1970. */
export type RetryBlock = {
  type: "retry";
  key: string;
  because: string;
  waitMs: number;
  attempt: number;
  at: number;
};

/** Changes that were undone or, with `again`, redone; `parts` limits it to some hunks. */
export type UndoneBlock = {
  type: "undone";
  key: string;
  turn: number;
  files: readonly string[];
  parts: readonly string[];
  again: boolean;
  by?: string;
};

/** A message that is, or was, queued for the running turn. */
export type QueuedBlock = {
  type: "queued";
  key: string;
  id: string;
  text: string;
  images: number;
  by?: string;
  when: Delivery;
  state: "waiting" | "taken" | "withdrawn";
};

/** A question from the model to a person, or its plan (`steps`). */
export type AskedBlock = {
  type: "asked";
  key: string;
  callId: string;
  question: string;
  choices: readonly { label: string; detail?: string | undefined }[];
  several: boolean;
  steps?: readonly PlanStep[];
  reply?: Pick<FactOf<"question-answered">, "answer" | "by" | "text" | "chosen" | "steps">;
};

/** A limit that was reached, and the answer from a person or the settings. */
export type LimitBlock = {
  type: "limit";
  key: string;
  limit: LimitName;
  used: number;
  most: number;
  offer: number;
  answer?: Pick<FactOf<"limit-answered">, "answer" | "most" | "by">;
};

/** The model's to-do list: one block per turn, showing the current state. */
export type TodosBlock = { type: "todos"; key: string; items: readonly Todo[] };

/** An event that is worth one line. */
export type EventBlock = {
  type: "event";
  key: string;
  about:
    | "fork"
    | "name"
    | "mode"
    | "model"
    | "reasoning"
    | "permission"
    | "branch"
    | "trimmed"
    | "compaction"
    | "stuck"
    | "nudge"
    | "added"
    | "subagent"
    | "aside"
    | "goal";
  text: string;
  /** What belongs to it and has several lines. */
  details?: string;
  /** The session that the event is about, if it is another one. */
  session?: string;
};

/** `key` is unique within a transcript and stays the same while a block grows. */
export type Block =
  /** `steer`: sent into a running turn; `queued`: had waited for a turn to end. `by`: who, where several people act. */
  | { type: "user"; key: string; text: string; images: number; how?: "steer" | "queued"; by?: string }
  | QueuedBlock
  | AskedBlock
  | LimitBlock
  | TodosBlock
  | EventBlock
  | { type: "reasoning"; key: string; text: string; open: boolean }
  | { type: "text"; key: string; text: string; open: boolean; by: "model" | "toolwright" }
  | CallBlock
  | QuestionBlock
  | { type: "warning"; key: string; code: string; text: string }
  | FailureBlock
  | RetryBlock
  | UndoneBlock
  /** `files`: all of the turn's files by default. */
  | { type: "kept"; key: string; turn: number; files?: readonly string[]; by?: string }
  | EndingBlock;

export const blockKey = (block: number): string => `block:${block}`;
export const callKey = (callId: string): string => `call:${callId}`;
/** Key for text that is withheld because it may turn out to be a call: it has no id yet. */
export const withheldKey = callKey("");
export const questionKey = (callId: string): string => `question:${callId}`;
export const askedKey = (callId: string): string => `asked:${callId}`;
export const endingKey = (turn: number): string => `ending:${turn}`;
export const retryKey = "retry";
export const compactingKey = "compacting";

/** Used until the tool supplies a title: its name and the first text argument. */
export function roughTitle({ name, input }: ToolCall): string {
  if (name === namelessCall) return "A call";
  const first = Object.values(input).find((value) => typeof value === "string" && value !== "");
  if (typeof first !== "string") return name;
  const [line = ""] = first.slice(0, 80).split("\n");
  return `${name} ${line === first ? line : `${line}…`}`;
}

/** Output lines shown for a call. */
const shownLines = 8;
/** Character limit for those lines together. */
const shownCharacters = 4_000;

/** The last lines of an output. Reads only its end, however long it is. */
export function lastLines(text: string): string[] {
  const end = text.slice(-shownCharacters).trimEnd();
  return end === "" ? [] : end.split("\n").slice(-shownLines);
}

/** Lines shown of a call's error: the rest tells the model how to write the call again. */
const shownOfProblem = 5;

/** The first lines of a text, and how many follow. */
export function firstLines(text: string): { output: string[]; more?: number } {
  const lines = text.trimEnd().split("\n");
  const output = lines.slice(0, shownOfProblem).map((line) => line.slice(0, shownCharacters));
  return lines.length > output.length ? { output, more: lines.length - output.length } : { output };
}

/** Diff lines shown for a staged change: the whole diff is shown before it is applied. */
const shownOfDiff = 40;

/** The first lines of a diff, and how many follow. */
export function firstOfDiff(text: string): Pick<CallBlock, "diff" | "moreDiff"> {
  const lines = text.trimEnd().split("\n");
  const diff = lines.slice(0, shownOfDiff).map((line) => line.slice(0, shownCharacters));
  return lines.length > diff.length ? { diff, moreDiff: lines.length - diff.length } : { diff };
}

/** How many output lines precede the shown ones; `omitted` were replaced by a note from the tool. */
export function linesBefore(text: string, shown: readonly string[], omitted = 0): number {
  const output = text.trimEnd();
  const all = output === "" ? 0 : output.split("\n").length;
  return Math.max(0, all - shown.length) + Math.max(0, omitted - 1);
}
