/** The facts a session consists of: each is stored first, then announced. A public format (docs/events.md). */

import * as z from "zod/mini";
import type { Json } from "../base/json.ts";
import {
  call,
  changedFile,
  checkout,
  childEnd,
  failure,
  hash,
  jsonObject,
  modelSet,
  opaque,
  planStep,
  repair,
  signed,
  stopper,
  todo,
  told,
  turnEnd,
  usage,
} from "./fact-parts.ts";
import {
  factVersion,
  hookEvents,
  hookOutcomes,
  limitNames,
  modes,
  outcomes,
  patterns,
  scopes,
  sources,
  stops,
  verdicts,
} from "./fact-words.ts";
import { messageFacts } from "./message-facts.ts";
import { reasonings } from "./messages.ts";
import { permissionFacts } from "./permission-facts.ts";

export type * from "./fact-parts.ts";
export type * from "./fact-words.ts";
export type * from "./signals.ts";
export { factVersion, modes, outcomes, scopes, stops, verdicts };

const paidAnswer = { model: z.string(), usage: z.optional(usage), cost: z.optional(z.number()) };

/** Each member is one type of fact, named for what happened. */
export const facts = {
  /**
   * The first fact of every session. `workspace` is an absolute path; `from`: the session began as a copy of another
   * one up to that fact; `parent`: the session and call that gave this one its task; `checkout`: the workspace was made
   * from this git repository, at this commit, for this session.
   */
  "session-start": z.object({
    type: z.literal("session-start"),
    session: z.string(),
    workspace: z.string(),
    version: z.string(),
    from: z.optional(z.object({ session: z.string(), seq: z.number() })),
    parent: z.optional(z.object({ session: z.string(), callId: z.string() })),
    checkout: z.optional(checkout),
  }),
  /** A person named the session; until then its first words serve as its name. */
  "session-renamed": z.object({ type: z.literal("session-renamed"), title: z.string(), ...signed }),
  ...messageFacts,
  /** The settings this turn runs under. `reasoning`: absent in older logs. */
  "turn-start": z.object({
    type: z.literal("turn-start"),
    model: z.string(),
    mode: z.enum(modes),
    reasoning: z.optional(z.enum(reasonings)),
  }),
  /** A turn left open by an earlier run was resumed. `idleMs`, when no program worked on it, does not count as time. */
  "turn-resumed": z.object({ type: z.literal("turn-resumed"), idleMs: z.number() }),
  /** The mode from here on, for the running turn and later ones. */
  "mode-set": z.object({ type: z.literal("mode-set"), mode: z.enum(modes), by: z.string() }),
  /** The model from the next turn on, or from here on with `because`: why the one before it failed for good. */
  "model-set": modelSet,
  /** How much the model thinks from its next answer on, also within the running turn; `default`: as it does by itself. */
  "reasoning-set": z.object({
    type: z.literal("reasoning-set"),
    reasoning: z.enum(reasonings),
    by: z.string(),
  }),
  /** A finished block of the model's reasoning. `block` matches the signals that streamed it. */
  reasoning: z.object({
    type: z.literal("reasoning"),
    block: z.number(),
    text: z.string(),
    state: z.optional(opaque),
  }),
  /** A finished block of text; `by` is its author ("toolwright": closing words that the model did not give). */
  text: z.object({
    type: z.literal("text"),
    block: z.number(),
    text: z.string(),
    by: z.enum(["model", "toolwright"]),
  }),
  /** A complete request by the model to use a tool. */
  call: z.object({ type: z.literal("call"), call }),
  /**
   * The end of one answer. `interrupted` and `failed` are set by Toolwright; the other reasons are the model's. `cost`:
   * US dollars, if the model's prices are known. `model`: the server's name for it; `asked`: the model that was asked,
   * if not the one of the turn's start. `complete`: the model said explicitly that the task is done (A27).
   */
  "answer-end": z.object({
    type: z.literal("answer-end"),
    reason: z.enum(["stop", "tool-calls", "length", "refusal", "interrupted", "failed"]),
    model: z.string(),
    asked: z.optional(z.string()),
    usage: z.optional(usage),
    cost: z.optional(z.number()),
    complete: z.optional(z.boolean()),
    state: z.optional(opaque),
    failure: z.optional(failure),
  }),
  ...permissionFacts,
  /**
   * A question by the model to a person, or its plan (`steps`), which may be approved, changed or rejected. The turn
   * waits. `several`: more than one choice may be picked.
   */
  "question-asked": z.object({
    type: z.literal("question-asked"),
    callId: z.string(),
    question: z.string(),
    choices: z.array(z.object({ label: z.string(), detail: z.optional(z.string()) })),
    several: z.optional(z.boolean()),
    steps: z.optional(z.array(planStep)),
  }),
  /** The first answer wins. `chosen`: indices of choices, from 0; `steps`: the plan as approved; `text`: free text. */
  "question-answered": z.object({
    type: z.literal("question-answered"),
    callId: z.string(),
    answer: z.enum(["given", "declined"]),
    by: z.string(),
    text: z.optional(z.string()),
    chosen: z.optional(z.array(z.number())),
    steps: z.optional(z.array(planStep)),
  }),
  /**
   * The intent, stored before any effect. `repairs`: how the arguments were repaired to fit the tool. `ahead`: for how
   * many milliseconds it had run over a layer before its turn; `lost`: that run was dropped, since what calls before it
   * changed may have been seen by it, and it runs now.
   */
  "call-start": z.object({
    type: z.literal("call-start"),
    callId: z.string(),
    title: z.string(),
    does: z.enum(["read", "change", "execute", "delegate"]),
    changes: z.optional(z.array(changedFile)),
    repairs: z.optional(z.array(repair)),
    ahead: z.optional(z.object({ ms: z.number(), lost: z.optional(z.literal(true)) })),
  }),
  /** File changes shown and stored under a token until used or until `expiresAt` (milliseconds since 1970). */
  "change-staged": z.object({
    type: z.literal("change-staged"),
    callId: z.string(),
    token: z.string(),
    changes: z.array(changedFile),
    expiresAt: z.number(),
  }),
  /**
   * A command ran before anybody had agreed. What it changed is held, not made, until a person has answered; `result` is
   * what it printed and how it ended.
   */
  "command-tried": z.object({
    type: z.literal("command-tried"),
    callId: z.string(),
    changes: z.array(changedFile),
    result: z.object({
      outcome: z.enum(["ok", "failed", "timeout"]),
      ...told,
    }),
  }),
  /**
   * File changes that are now on disk; the before-images are stored under their hashes. `token`: the staged change this
   * used up. `uncovered`: what else a command changed that cannot be undone, in words. `references`: where a command moved
   * the references of repositories, each as a text (docs/undo.md).
   */
  "change-applied": z.object({
    type: z.literal("change-applied"),
    callId: z.string(),
    changes: z.array(changedFile),
    token: z.optional(z.string()),
    uncovered: z.optional(z.array(z.string())),
    references: z.optional(z.array(changedFile)),
  }),
  /** A person kept a turn's changes for good, all or at these paths: their before-images are no longer needed. */
  "changes-kept": z.object({
    type: z.literal("changes-kept"),
    keptTurn: z.number(),
    paths: z.optional(z.array(z.string())),
    ...signed,
  }),
  /**
   * File changes that were undone, all of a turn's or some: `before` is what was there, `after` is what is there now.
   * `rest`: files undone only in part, with the content that the turn's change now amounts to. `again`: this is a redo.
   */
  "changes-undone": z.object({
    type: z.literal("changes-undone"),
    undoneTurn: z.number(),
    changes: z.array(changedFile),
    rest: z.optional(z.array(z.object({ path: z.string(), hash }))),
    again: z.optional(z.boolean()),
    ...signed,
  }),
  /**
   * The result of a call. `seen`: contents the model has now read; `full`: a blob with all of a truncated output, of
   * which `omitted` lines were left out; `metadata` is for programs: a staged change's `token` and `legacyTranslated` (B8,
   * B9), `diffPreview` of one that is staged or was made unasked. `title`: the name of a call that never started. `refused`:
   * what the sandbox refused its command. `fault`: the code of what is wrong with an invalid call (docs/conversation.md).
   */
  result: z.object({
    type: z.literal("result"),
    callId: z.string(),
    outcome: z.enum(outcomes),
    ...told,
    title: z.optional(z.string()),
    seen: z.optional(z.array(z.object({ path: z.string(), hash }))),
    metadata: z.optional(jsonObject),
    fault: z.optional(z.string()),
  }),
  /**
   * What a checkout holds beyond its commit was stored under this hash, so that it can be made again anywhere; `commit`:
   * of all its files. Without a hash it could not be, and `problem` says why.
   */
  "work-kept": z.object({
    type: z.literal("work-kept"),
    commit: z.optional(z.string()),
    hash: z.optional(hash),
    problem: z.optional(z.string()),
  }),
  /** A checkout's work was put on this branch: of the kept repository, or pushed to the one that it was made from. */
  "work-delivered": z.object({
    type: z.literal("work-delivered"),
    as: z.enum(["branch", "push"]),
    branch: z.string(),
    commit: z.string(),
    ...signed,
  }),
  /** The model's complete to-do list. */
  "todos-set": z.object({ type: z.literal("todos-set"), items: z.array(todo) }),
  /** The session works on this new git branch, made from `from` (empty if none was checked out) at `commit`. */
  branch: z.object({ type: z.literal("branch"), name: z.string(), from: z.string(), commit: z.string() }),
  /** These calls' results left the prompt; the model can read them page by page. `tokens`: freed, estimated. */
  "results-trimmed": z.object({
    type: z.literal("results-trimmed"),
    callIds: z.array(z.string()),
    tokens: z.number(),
  }),
  /**
   * The prompt was shortened: a summary and people's messages word for word replace all but the last `keep` messages.
   * The log keeps everything. `tokensBefore` and `tokensAfter` count the whole prompt. `by`: the person who asked for it.
   */
  compaction: z.object({
    type: z.literal("compaction"),
    summary: z.string(),
    keep: z.number(),
    because: z.enum(["budget", "overflow", "person"]),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    model: z.string(),
    usage: z.optional(usage),
    cost: z.optional(z.number()),
    ...signed,
  }),
  /** A person's side question and its answer, or why there is none. The model is never told; the session pays for it. */
  "aside-answered": z.object({
    type: z.literal("aside-answered"),
    question: z.string(),
    reason: z.enum(["stop", "failed", "interrupted"]),
    text: z.string(),
    ...paidAnswer,
  }),
  /** From here on a turn is not done before this is met and verified; without a condition there is no goal any more. */
  "goal-set": z.object({
    type: z.literal("goal-set"),
    condition: z.optional(z.string()),
    by: z.string(),
  }),
  /** Whether the goal is met, when a turn was about to end; a goal that is met is over. `because`: one line. */
  "goal-judged": z.object({
    type: z.literal("goal-judged"),
    met: z.boolean(),
    because: z.string(),
    ...paidAnswer,
  }),
  /** The model seems to be stuck. `text` is shown to the model; `count`: how often the pattern occurred in a row. */
  "failure-detected": z.object({
    type: z.literal("failure-detected"),
    pattern: z.enum(patterns),
    count: z.number(),
    text: z.string(),
    callId: z.optional(z.string()),
  }),
  /**
   * Toolwright's own message to the model, sent as the user: to continue after it stopped too early, or what the mode
   * requires (`mode-plan`). `code` is the reason, `text` what the model sees.
   */
  nudge: z.object({ type: z.literal("nudge"), code: z.string(), text: z.string() }),
  /**
   * All instruction files in force from here on, in the order in which the model reads them; they are part of its
   * system prompt. `path`: relative to the workspace, or absolute.
   */
  "instructions-read": z.object({
    type: z.literal("instructions-read"),
    files: z.array(z.object({ path: z.string(), text: z.string() })),
  }),
  /** Text added to the prompt besides people's messages: `name` is the file, hook or server it comes from. */
  "context-added": z.object({
    type: z.literal("context-added"),
    from: z.enum(sources),
    name: z.string(),
    text: z.string(),
  }),
  /** A hook ran. `because`: why it said no, or what broke. `input`: the arguments from here on, validated again. */
  "hook-ran": z.object({
    type: z.literal("hook-ran"),
    event: z.enum(hookEvents),
    hook: z.string(),
    outcome: z.enum(hookOutcomes),
    ms: z.number(),
    callId: z.optional(z.string()),
    because: z.optional(z.string()),
    input: z.optional(jsonObject),
  }),
  /** Tools the model found by search: from here on the prompt describes them. */
  "tools-found": z.object({ type: z.literal("tools-found"), names: z.array(z.string()) }),
  /** A call gave a task to a session of its own. */
  "child-started": z.object({
    type: z.literal("child-started"),
    callId: z.string(),
    session: z.string(),
    agent: z.optional(z.string()),
    task: z.string(),
  }),
  /** That session ended; its usage counts towards this turn, too. `unpriced`: its answers without a known price. */
  "child-ended": z.object({ type: z.literal("child-ended"), ...childEnd }),
  /** The turn reached a limit and waits for a person. `offer` is the proposed new limit. */
  "limit-asked": z.object({
    type: z.literal("limit-asked"),
    limit: z.enum(limitNames),
    used: z.number(),
    most: z.number(),
    offer: z.number(),
  }),
  /** `most`: the turn's limit from here on. `by` is "toolwright" if the settings extend it automatically. */
  "limit-answered": z.object({
    type: z.literal("limit-answered"),
    limit: z.enum(limitNames),
    answer: z.enum(["stop", "extend"]),
    most: z.optional(z.number()),
    by: z.string(),
  }),
  /** Something a person should know; it stops nothing. */
  warning: z.object({ type: z.literal("warning"), code: z.string(), text: z.string() }),
  /**
   * The turn ended: why it stopped and what to do next, what it changed, what verified the changes, its last words.
   * `by`: the person or program that stopped it; `device`: the id of their signed-in browser.
   */
  "turn-end": z.object({ type: z.literal("turn-end"), stopped: z.enum(stops), ...stopper, ...turnEnd }),
};

type Facts = { [K in keyof typeof facts]: z.infer<(typeof facts)[K]> };
/** The name of a type of fact. @public */
export type FactType = keyof Facts;
/** Something that happened in a session (docs/events.md). @public */
export type Fact = Facts[FactType];
/** The fact of one type. @public */
export type FactOf<T extends FactType> = Facts[T];

/** `seq` counts from 1 without gaps in a session; `at` is milliseconds since 1970; `turn` counts from 1 (0: before any). */
export type Stamp = { v: number; seq: number; at: number; turn: number };
/** A fact that this version does not know: kept and passed on untouched. */
export type UnknownFact = { type: "unknown"; original: Json };
/** A fact as stored: with its number and time. @public */
export type Entry = (Fact | UnknownFact) & Stamp;

export type Does = FactOf<"call-start">["does"];
