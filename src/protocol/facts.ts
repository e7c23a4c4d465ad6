/** What happened. A session is its list of facts: stored first, then told. A public format (docs/events.md). */

import * as z from "zod/mini";
import type { Json } from "../base/json.ts";
import {
  call,
  changedFile,
  childEnd,
  failure,
  grant,
  hash,
  jsonObject,
  opaque,
  part,
  place,
  planStep,
  repair,
  resultPart,
  sandboxed,
  todo,
  usage,
} from "./fact-parts.ts";
import {
  deliveries,
  factVersion,
  hookEvents,
  hookOutcomes,
  limitNames,
  modes,
  outcomes,
  patterns,
  risks,
  scopes,
  sources,
  stops,
  verdicts,
} from "./fact-words.ts";

export type * from "./fact-words.ts";
export { factVersion, modes, outcomes, scopes, stops, verdicts };

/** Each member: what happened, in the past tense of its name. */
export const facts = {
  /**
   * The first fact of every session. `workspace` is an absolute path; `from`: it begins as a copy of another, up to
   * there; `parent`: that session's call gave it its task.
   */
  "session-start": z.object({
    type: z.literal("session-start"),
    session: z.string(),
    workspace: z.string(),
    version: z.string(),
    from: z.optional(z.object({ session: z.string(), seq: z.number() })),
    parent: z.optional(z.object({ session: z.string(), callId: z.string() })),
  }),
  /** A person gave the session a name; until then it is called by its first words. */
  "session-renamed": z.object({ type: z.literal("session-renamed"), title: z.string() }),
  /** A person's (or program's) request; it opens a turn. `queued`: it had waited under this id; `id`: its sender's own. */
  "user-message": z.object({
    type: z.literal("user-message"),
    content: z.array(part),
    queued: z.optional(z.string()),
    id: z.optional(z.string()),
  }),
  /** A message during a turn; it waits for the next safe point (`steer`) or the end (`next`). `said`: by hooks, with it. */
  "message-queued": z.object({
    type: z.literal("message-queued"),
    id: z.string(),
    content: z.array(part),
    when: z.enum(deliveries),
    said: z.optional(z.array(z.object({ from: z.enum(sources), name: z.string(), text: z.string() }))),
  }),
  /** A message that waits no more: whoever sent it took it back. */
  "message-withdrawn": z.object({ type: z.literal("message-withdrawn"), id: z.string() }),
  /** A message that the running turn has taken, between two answers. `queued`: it had waited under this id; `id`: its sender's own. */
  steer: z.object({
    type: z.literal("steer"),
    content: z.array(part),
    queued: z.optional(z.string()),
    id: z.optional(z.string()),
  }),
  /** The settings that this turn runs under. */
  "turn-start": z.object({ type: z.literal("turn-start"), model: z.string(), mode: z.enum(modes) }),
  /** A turn that another run of the program had left open goes on. For `idleMs` nobody worked on it; that counts as no time. */
  "turn-resumed": z.object({ type: z.literal("turn-resumed"), idleMs: z.number() }),
  /** The mode from here on: of the turn that runs, and of those after it. */
  "mode-set": z.object({ type: z.literal("mode-set"), mode: z.enum(modes), by: z.string() }),
  /** The model that is asked from the next turn on, as a person names it: "provider/model". */
  "model-set": z.object({ type: z.literal("model-set"), model: z.string(), by: z.string() }),
  /** A finished block of the model's reasoning. `block` matches the signals that streamed it. */
  reasoning: z.object({
    type: z.literal("reasoning"),
    block: z.number(),
    text: z.string(),
    state: z.optional(opaque),
  }),
  /** A finished block of text; `by` says who wrote it ("toolwright": a closing word the model did not give). */
  text: z.object({
    type: z.literal("text"),
    block: z.number(),
    text: z.string(),
    by: z.enum(["model", "toolwright"]),
  }),
  /** A complete request of the model to use a tool. */
  call: z.object({ type: z.literal("call"), call }),
  /**
   * The end of one answer. `interrupted` and `failed` are ours; the rest is the model's word. `cost`: US dollars, where
   * the model's prices are known. `model` is what the server calls it; `asked`: who was asked, where that is not the
   * model of the turn's start. `complete`: the model said in so many words that the task is done (A27).
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
  /** Whether a call may run, and why. `trace` has each layer's word; `sandbox` is for commands. */
  decision: z.object({
    type: z.literal("decision"),
    callId: z.string(),
    verdict: z.enum(verdicts),
    because: z.string(),
    risk: z.enum(risks),
    trace: z.array(z.object({ layer: z.string(), verdict: z.enum(verdicts), because: z.string() })),
    sandbox: z.optional(sandboxed),
  }),
  /**
   * A question to a person. `preview` is the whole command or the diff; `changes` name the planned contents by hash,
   * also where the diff was cut; `grant` says what a wider yes would cover, `covers` is that as data, and `scopes` are
   * the answers that make sense (once, turn and session where they are not told); `sandbox` is how a command would run;
   * `repairs`: what was mended in the call. `command`: the answer may change this command; `place`: where it runs.
   */
  "approval-asked": z.object({
    type: z.literal("approval-asked"),
    callId: z.string(),
    title: z.string(),
    because: z.string(),
    risk: z.enum(risks),
    preview: z.string(),
    place: z.optional(place),
    command: z.optional(z.string()),
    changes: z.optional(z.array(changedFile)),
    grant: z.string(),
    covers: z.optional(grant),
    scopes: z.optional(z.array(z.enum(scopes))),
    sandbox: z.optional(sandboxed),
    repairs: z.optional(z.array(repair)),
  }),
  /**
   * The first answer wins. `scope` says how long it holds; `note` is told to the model with a refusal. `command`: what is
   * to run instead of what the model wrote; it is decided on again, and a wider yes is one to what it `covers`.
   */
  "approval-answered": z.object({
    type: z.literal("approval-answered"),
    callId: z.string(),
    answer: z.enum(["allow", "deny"]),
    scope: z.enum(scopes),
    by: z.string(),
    note: z.optional(z.string()),
    command: z.optional(z.string()),
    covers: z.optional(grant),
  }),
  /**
   * A question of the model to a person, or its plan (`steps`), which may be approved, changed or rejected. The turn
   * waits. `several`: more than one choice may be taken.
   */
  "question-asked": z.object({
    type: z.literal("question-asked"),
    callId: z.string(),
    question: z.string(),
    choices: z.array(z.object({ label: z.string(), detail: z.optional(z.string()) })),
    several: z.optional(z.boolean()),
    steps: z.optional(z.array(planStep)),
  }),
  /** The first answer wins. `chosen` counts choices from 0; `steps` is the plan as it was approved; `text`: in own words. */
  "question-answered": z.object({
    type: z.literal("question-answered"),
    callId: z.string(),
    answer: z.enum(["given", "declined"]),
    by: z.string(),
    text: z.optional(z.string()),
    chosen: z.optional(z.array(z.number())),
    steps: z.optional(z.array(planStep)),
  }),
  /** The intent, stored before any effect. `repairs`: how the arguments were mended to fit the tool. */
  "call-start": z.object({
    type: z.literal("call-start"),
    callId: z.string(),
    title: z.string(),
    does: z.enum(["read", "change", "execute", "delegate"]),
    changes: z.optional(z.array(changedFile)),
    repairs: z.optional(z.array(repair)),
  }),
  /** File changes that were shown and are kept under a token until it is used or `expiresAt` (milliseconds since 1970). */
  "change-staged": z.object({
    type: z.literal("change-staged"),
    callId: z.string(),
    token: z.string(),
    changes: z.array(changedFile),
    expiresAt: z.number(),
  }),
  /**
   * File changes that are on disk now; the before-images are kept under their hashes. `token`: what was staged under it
   * is used up. `uncovered`: what else a command changed there that cannot be taken back, in words.
   */
  "change-applied": z.object({
    type: z.literal("change-applied"),
    callId: z.string(),
    changes: z.array(changedFile),
    token: z.optional(z.string()),
    uncovered: z.optional(z.array(z.string())),
  }),
  /** A turn's changes that a person keeps for good, all or at these paths: their before-images are not needed any more. */
  "changes-kept": z.object({
    type: z.literal("changes-kept"),
    keptTurn: z.number(),
    paths: z.optional(z.array(z.string())),
  }),
  /**
   * File changes that were taken back, all of a turn's or some: `before` is what stood there, `after` what stands there
   * now. `rest`: of these files only parts, and which content the turn comes down to now. `again`: the other way round,
   * what had been taken back was brought back.
   */
  "changes-undone": z.object({
    type: z.literal("changes-undone"),
    undoneTurn: z.number(),
    changes: z.array(changedFile),
    rest: z.optional(z.array(z.object({ path: z.string(), hash }))),
    again: z.optional(z.boolean()),
  }),
  /**
   * What a call came to. `seen` are contents the model has now read; `full` is a blob with all of a cut output, of which
   * `omitted` lines were left out; `metadata` is for programs: a staged change's `token` and `diffPreview`, and
   * `legacyTranslated` (B8, B9). `title`: how people know a call that was understood but never started.
   */
  result: z.object({
    type: z.literal("result"),
    callId: z.string(),
    outcome: z.enum(outcomes),
    content: z.array(resultPart),
    title: z.optional(z.string()),
    seen: z.optional(z.array(z.object({ path: z.string(), hash }))),
    full: z.optional(z.object({ blob: hash, bytes: z.number(), omitted: z.optional(z.number()) })),
    metadata: z.optional(jsonObject),
  }),
  /** The model's list of things to do, all of it. */
  "todos-set": z.object({ type: z.literal("todos-set"), items: z.array(todo) }),
  /** The session works on this git branch, made from `from` (a branch, or empty where none was checked out) at `commit`. */
  branch: z.object({ type: z.literal("branch"), name: z.string(), from: z.string(), commit: z.string() }),
  /** The contents of these calls' results are not told to the model any more; it can page them. `tokens`: freed, estimated. */
  "results-trimmed": z.object({
    type: z.literal("results-trimmed"),
    callIds: z.array(z.string()),
    tokens: z.number(),
  }),
  /**
   * What the model is told was shortened: a summary and the people's messages word for word stand for everything but the
   * last `keep` messages. The log keeps all. `tokensBefore` and `tokensAfter` count the whole prompt.
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
  }),
  /** The model seems to be stuck. `text` is what it is told; `count`: how often it happened in a row. */
  "failure-detected": z.object({
    type: z.literal("failure-detected"),
    pattern: z.enum(patterns),
    count: z.number(),
    text: z.string(),
    callId: z.optional(z.string()),
  }),
  /**
   * Toolwright tells the model something, as the user: that it should go on, for it has stopped too early, or what the
   * mode asks of it (`mode-plan`). `code` says why, `text` is what the model is told.
   */
  nudge: z.object({ type: z.literal("nudge"), code: z.string(), text: z.string() }),
  /**
   * The instruction files that hold from here on, all of them, in the order in which the model reads them: they stand in
   * its system prompt. `path`: relative to the workspace, or absolute.
   */
  "instructions-read": z.object({
    type: z.literal("instructions-read"),
    files: z.array(z.object({ path: z.string(), text: z.string() })),
  }),
  /** What the model is told besides what people say: `name` is the file, the hook or the server that says it. */
  "context-added": z.object({
    type: z.literal("context-added"),
    from: z.enum(sources),
    name: z.string(),
    text: z.string(),
  }),
  /** A hook has run. `because`: why it said no, or what broke. `input`: the arguments from here on, checked anew. */
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
  /** Tools that the model has looked for: it is told of them from here on. */
  "tools-found": z.object({ type: z.literal("tools-found"), names: z.array(z.string()) }),
  /** A call has given a task to a session of its own. */
  "child-started": z.object({
    type: z.literal("child-started"),
    callId: z.string(),
    session: z.string(),
    agent: z.optional(z.string()),
    task: z.string(),
  }),
  /** That session's work is over; what it took counts for this turn, too. `unpriced`: its answers whose price is not known. */
  "child-ended": z.object({ type: z.literal("child-ended"), ...childEnd }),
  /** The turn has used up what it may; it waits for a person. `offer` is what it could go on to. */
  "limit-asked": z.object({
    type: z.literal("limit-asked"),
    limit: z.enum(limitNames),
    used: z.number(),
    most: z.number(),
    offer: z.number(),
  }),
  /** `most`: what the turn may use from here on. `by` is "toolwright" where the settings let it extend by itself. */
  "limit-answered": z.object({
    type: z.literal("limit-answered"),
    limit: z.enum(limitNames),
    answer: z.enum(["stop", "extend"]),
    most: z.optional(z.number()),
    by: z.string(),
  }),
  /** Something a person should know that stops nothing. */
  warning: z.object({ type: z.literal("warning"), code: z.string(), text: z.string() }),
  /** The turn is over: why it stopped and what to do next, what it changed, what verified that, its last words. */
  "turn-end": z.object({
    type: z.literal("turn-end"),
    stopped: z.enum(stops),
    because: z.optional(z.string()),
    advice: z.optional(z.string()),
    changed: z.array(z.string()),
    verified: z.array(z.string()),
    text: z.string(),
  }),
};

type Facts = { [K in keyof typeof facts]: z.infer<(typeof facts)[K]> };
/** The name of a type of fact. */
export type FactType = keyof Facts;
/** Something that happened in a session (docs/events.md). */
export type Fact = Facts[FactType];
/** The fact of one type. */
export type FactOf<T extends FactType> = Facts[T];

/** `seq` counts from 1 without gaps in a session; `at` is milliseconds since 1970; `turn` counts from 1 (0: before any). */
export type Stamp = { v: number; seq: number; at: number; turn: number };
/** A fact this version does not know: kept and passed on untouched. */
export type UnknownFact = { type: "unknown"; original: Json };
/** A fact as it is stored: with its number and its time. */
export type Entry = (Fact | UnknownFact) & Stamp;

export type Grant = z.infer<typeof grant>;
export type Sandboxed = z.infer<typeof sandboxed>;
export type Place = z.infer<typeof place>;
export type ChangedFile = z.infer<typeof changedFile>;
export type PlanStep = z.infer<typeof planStep>;
export type Todo = z.infer<typeof todo>;
export type Does = FactOf<"call-start">["does"];

/**
 * What is happening right now. Dropping any or all of these changes no final view.
 * `offset` is where `text` starts in its block, in UTF-16 units.
 */
export type Signal =
  | { type: "text-delta"; block: number; offset: number; text: string }
  | { type: "reasoning-delta"; block: number; offset: number; text: string }
  /**
   * The model is writing a call: its name, and how many characters of arguments have come. Without `callId` it is text
   * that is held back because it may be a call, maybe still without a name.
   */
  | { type: "call-delta"; callId: string; name: string; characters: number }
  | { type: "output-delta"; callId: string; offset: number; text: string }
  | { type: "retrying"; because: string; waitMs: number; attempt: number }
  /** The conversation, of so many tokens, is being summed up for the model: until its fact, or until that is given up. */
  | {
      type: "compacting";
      state: "begun" | "given-up";
      because: "budget" | "overflow" | "person";
      tokens: number;
    };
