/**
 * What a transcript is made of: blocks that any surface (terminal, page, editor) can draw. Plain data, never changed in
 * place.
 */

import type {
  Delivery,
  FactOf,
  LimitName,
  Outcome,
  Place,
  PlanStep,
  Risk,
  Sandboxed,
  Scope,
  Stopped,
  Todo,
} from "../../protocol/facts.ts";
import type { Call, Repair } from "../../protocol/messages.ts";
import { namelessCall } from "../../protocol/unreadable.ts";

/** Lines added and removed. */
export type Badge = { added: number; removed: number };

/** `writing`: the model is still writing it; `asking`: a person has been asked. The rest is how it came out. */
export type CallProgress = "writing" | "pending" | "asking" | "running" | Outcome;

export type CallBlock = {
  type: "call";
  key: string;
  callId: string;
  name: string;
  /** For people; a rough one until the tool has named it. */
  title: string;
  state: CallProgress;
  does?: FactOf<"call-start">["does"];
  badge?: Badge;
  /** Lines that it would change: nothing of it is made yet. */
  staged?: Badge;
  /** The first lines of the diff of that, and how many follow. */
  diff?: readonly string[];
  moreDiff?: number;
  /** What it changed and undo cannot bring back, in words. */
  uncovered?: readonly string[];
  /** Why it was asked about or denied. */
  because?: string;
  /** The last lines of its output, oldest first. */
  output: readonly string[];
  /** Lines of the output before those. */
  left?: number;
  /** All of the output is kept elsewhere: the result has only parts of it. */
  isCut?: true;
  /** Lines behind them: what is wrong with a call stands at the beginning. */
  more?: number;
  /** When it began to run or, until then, to be written; in milliseconds since 1970. */
  startedAt?: number;
  /** Characters of its arguments so far, while they are written. */
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
  /** It is about file changes: `preview` is their diff. */
  isDiff?: true;
  /** What each layer said to it, in order. */
  trace?: FactOf<"decision">["trace"];
  /** What of it an answer may change. */
  command?: string;
  /** Where a command would run; the workspace's root by default. */
  place?: Place;
  /** What a wider yes would cover. */
  grant: string;
  /** The answers that make sense; once, turn and session by default. */
  scopes?: readonly Scope[];
  /** How a command would run. */
  sandbox?: Sandboxed;
  /** What was mended in the call. */
  repairs?: readonly Repair[];
  answer?: Pick<FactOf<"approval-answered">, "answer" | "scope" | "by" | "note" | "command">;
};

export type EndingBlock = {
  type: "ending";
  key: string;
  stopped: Stopped;
  because?: string;
  /** What to do next, behind `because`. */
  advice?: string;
  changed: readonly string[];
  badge: Badge;
  /** What was staged and not applied. */
  staged?: { files: readonly string[]; badge: Badge };
  /** Titles of the calls that verified the changes. */
  verified: readonly string[];
  /** How much of its changes was taken back since. */
  undone: Extent;
};

export type Extent = "nothing" | "part" | "all";

/** The same ending for where the text above it has given the reason already. */
export function withoutReason(ending: EndingBlock): EndingBlock {
  const { because: _, advice: __, ...rest } = ending;
  return { ...rest, stopped: "done" };
}

/** Only ever live: the provider is about to be asked again. `at` is when that was told, in milliseconds since 1970. */
export type RetryBlock = {
  type: "retry";
  key: string;
  because: string;
  waitMs: number;
  attempt: number;
  at: number;
};

/** Changes that were taken back or, `again`, brought back; of `parts` only some hunks. */
export type UndoneBlock = {
  type: "undone";
  key: string;
  turn: number;
  files: readonly string[];
  parts: readonly string[];
  again: boolean;
};

/** A message that waits for the running turn, or has waited. */
export type QueuedBlock = {
  type: "queued";
  key: string;
  id: string;
  text: string;
  images: number;
  when: Delivery;
  state: "waiting" | "taken" | "withdrawn";
};

/** A question of the model to a person, or its plan (`steps`). */
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

/** A limit that was reached, and what a person (or the settings) said to it. */
export type LimitBlock = {
  type: "limit";
  key: string;
  limit: LimitName;
  used: number;
  most: number;
  offer: number;
  answer?: Pick<FactOf<"limit-answered">, "answer" | "most" | "by">;
};

/** The model's list of things to do: one block in a turn, as it is now. */
export type TodosBlock = { type: "todos"; key: string; items: readonly Todo[] };

/** Something that is worth one line. */
export type EventBlock = {
  type: "event";
  key: string;
  about:
    | "fork"
    | "name"
    | "mode"
    | "model"
    | "branch"
    | "trimmed"
    | "compaction"
    | "stuck"
    | "nudge"
    | "added"
    | "subagent";
  text: string;
  /** The session that it is about, where it is another one. */
  session?: string;
};

/** `key` is unique in a transcript and stays the same while a block grows. */
export type Block =
  /** `steer`: it was told to a turn that ran; `queued`: it had waited for the end of one. */
  | { type: "user"; key: string; text: string; images: number; how?: "steer" | "queued" }
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
  /** An answer broke off; it may have been asked for again. What to do about it is told where the turn ends. */
  | { type: "failure"; key: string; text: string }
  | RetryBlock
  | UndoneBlock
  /** `files`: all of the turn's by default. */
  | { type: "kept"; key: string; turn: number; files?: readonly string[] }
  | EndingBlock;

export const blockKey = (block: number): string => `block:${block}`;
export const callKey = (callId: string): string => `call:${callId}`;
/** Of text that is held back because it may be a call: it has no id yet. */
export const withheldKey = callKey("");
export const questionKey = (callId: string): string => `question:${callId}`;
export const endingKey = (turn: number): string => `ending:${turn}`;
export const retryKey = "retry";
export const compactingKey = "compacting";

/** Until the tool names itself: its name and the first text among its arguments. */
export function roughTitle({ name, input }: Call): string {
  if (name === namelessCall) return "A call";
  const first = Object.values(input).find((value) => typeof value === "string" && value !== "");
  if (typeof first !== "string") return name;
  const [line = ""] = first.slice(0, 80).split("\n");
  return `${name} ${line === first ? line : `${line}…`}`;
}

/** Lines of output that a call shows. */
const shownLines = 8;
/** Characters that those lines may have together. */
const shownCharacters = 4_000;

/** The last lines of an output. Looks at its end only, however long it is. */
export function lastLines(text: string): string[] {
  const end = text.slice(-shownCharacters).trimEnd();
  return end === "" ? [] : end.split("\n").slice(-shownLines);
}

/** Lines that tell what is wrong with a call: the rest is how the model shall write it again. */
const shownOfProblem = 5;

/** The first lines of a text, and how many follow. */
export function firstLines(text: string): { output: string[]; more?: number } {
  const lines = text.trimEnd().split("\n");
  const output = lines.slice(0, shownOfProblem).map((line) => line.slice(0, shownCharacters));
  return lines.length > output.length ? { output, more: lines.length - output.length } : { output };
}

/** Lines of a diff that a call shows: the whole is shown before it is made. */
const shownOfDiff = 40;

/** The first lines of the diff of a staged change, and how many follow. */
export function firstOfDiff(text: string): Pick<CallBlock, "diff" | "moreDiff"> {
  const lines = text.trimEnd().split("\n");
  const diff = lines.slice(0, shownOfDiff).map((line) => line.slice(0, shownCharacters));
  return lines.length > diff.length ? { diff, moreDiff: lines.length - diff.length } : { diff };
}

/** How many lines of an output come before its last lines; `omitted` of them the tool has left out, for a note. */
export function linesBefore(text: string, shown: readonly string[], omitted = 0): number {
  const output = text.trimEnd();
  const all = output === "" ? 0 : output.split("\n").length;
  return Math.max(0, all - shown.length) + Math.max(0, omitted - 1);
}
