/** What happened. A session is its list of facts: stored first, then told. A public format (docs/events.md). */
import * as z from "zod/mini";
import type { Json } from "../base/json.ts";
import {
  coverages,
  factVersion,
  modes,
  outcomes,
  profiles,
  risks,
  scopes,
  stops,
  verdicts,
} from "./fact-words.ts";

export { factVersion, modes, outcomes, scopes, stops, verdicts };

const json: z.ZodMiniType<Json> = z.lazy(() => z.json());
const jsonObject = z.record(z.string(), json);
/** Lower-case hex SHA-256 of a content; `null` where there is no file. */
const hash = z.string();

const part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), mediaType: z.string(), data: z.string() }),
]);

const opaque = z.object({ from: z.string(), value: json });
const repair = z.object({ code: z.string(), detail: z.string(), guess: z.optional(z.boolean()) });

const call = z.object({
  id: z.string(),
  name: z.string(),
  input: jsonObject,
  source: z.string(),
  rawArguments: z.optional(z.string()),
  repairs: z.optional(z.array(repair)),
  problem: z.optional(z.string()),
  fault: z.optional(z.string()),
  state: z.optional(opaque),
});

const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.optional(z.number()),
  cacheWriteTokens: z.optional(z.number()),
  reasoningTokens: z.optional(z.number()),
});

/** Why an answer failed. `midStream`: part of it had been heard, so it may be asked for again. */
const failure = z.object({
  kind: z.string(),
  message: z.string(),
  retryAfter: z.optional(z.number()),
  midStream: z.boolean(),
});

/** What stands at a path; `mode`: permission bits. The hash of a link is that of its target's text. */
const standing = z.object({ kind: z.enum(["file", "link", "directory"]), mode: z.optional(z.number()) });

/**
 * One path as a change left it: hashes before and after, lines added and removed. `was` and `is` are told where it is
 * not simply a file that keeps its mode.
 */
const changedFile = z.object({
  path: z.string(),
  before: z.nullable(hash),
  after: z.nullable(hash),
  added: z.number(),
  removed: z.number(),
  was: z.optional(standing),
  is: z.optional(standing),
});

/**
 * What a wider yes covers. `tool`: uses of a tool, only of these sensitive files where there are some. `line`: exactly
 * this command in this directory, as long as it is no riskier than it was. `uses`: commands that begin with these words and have no other findings than these,
 * and need no wider profile; `directory` is relative to the workspace.
 */
export const grant = z.discriminatedUnion("type", [
  z.object({ type: z.literal("tool"), tool: z.string(), paths: z.optional(z.array(z.string())) }),
  z.object({
    type: z.literal("line"),
    command: z.string(),
    directory: z.string(),
    risk: z.enum(risks),
    profile: z.enum(profiles),
    contained: z.boolean(),
  }),
  z.object({
    type: z.literal("uses"),
    uses: z.array(z.object({ words: z.array(z.string()), findings: z.array(z.string()) })),
    profile: z.enum(profiles),
    contained: z.boolean(),
  }),
]);

/** How a command runs once it is allowed: in which profile, whether this machine's sandbox holds it there, and what undo covers. */
const sandboxed = z.object({
  profile: z.enum(profiles),
  isOn: z.boolean(),
  because: z.optional(z.string()),
  undo: z.optional(z.enum(coverages)),
});

/** Each member: what happened, in the past tense of its name. */
export const facts = {
  /** The first fact of every session. `workspace` is an absolute path. */
  "session-start": z.object({
    type: z.literal("session-start"),
    session: z.string(),
    workspace: z.string(),
    version: z.string(),
  }),
  /** A person's (or program's) request; it opens a turn. */
  "user-message": z.object({ type: z.literal("user-message"), content: z.array(part) }),
  /** The settings that this turn runs under. */
  "turn-start": z.object({ type: z.literal("turn-start"), model: z.string(), mode: z.enum(modes) }),
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
  /** The end of one answer. `interrupted` and `failed` are ours; the rest is the model's word. */
  "answer-end": z.object({
    type: z.literal("answer-end"),
    reason: z.enum(["stop", "tool-calls", "length", "refusal", "interrupted", "failed"]),
    model: z.string(),
    usage: z.optional(usage),
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
   * `repairs`: what was mended in the call.
   */
  "approval-asked": z.object({
    type: z.literal("approval-asked"),
    callId: z.string(),
    title: z.string(),
    because: z.string(),
    risk: z.enum(risks),
    preview: z.string(),
    changes: z.optional(z.array(changedFile)),
    grant: z.string(),
    covers: z.optional(grant),
    scopes: z.optional(z.array(z.enum(scopes))),
    sandbox: z.optional(sandboxed),
    repairs: z.optional(z.array(repair)),
  }),
  /** The first answer wins. `scope` says how long it holds; `note` is told to the model with a refusal. */
  "approval-answered": z.object({
    type: z.literal("approval-answered"),
    callId: z.string(),
    answer: z.enum(["allow", "deny"]),
    scope: z.enum(scopes),
    by: z.string(),
    note: z.optional(z.string()),
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
   * What a call came to. `seen` are contents the model has now read; `full` is a blob with all of a cut output;
   * `metadata` is for programs: a staged change's `token` and `diffPreview`, and `legacyTranslated` (B8, B9).
   */
  result: z.object({
    type: z.literal("result"),
    callId: z.string(),
    outcome: z.enum(outcomes),
    content: z.array(part),
    seen: z.optional(z.array(z.object({ path: z.string(), hash }))),
    full: z.optional(z.object({ blob: hash, bytes: z.number() })),
    metadata: z.optional(jsonObject),
  }),
  /** Something a person should know that stops nothing. */
  warning: z.object({ type: z.literal("warning"), code: z.string(), text: z.string() }),
  /** The turn is over: why it stopped, what it changed, what was verified after the last change, its last words. */
  "turn-end": z.object({
    type: z.literal("turn-end"),
    stopped: z.enum(stops),
    because: z.optional(z.string()),
    changed: z.array(z.string()),
    verified: z.array(z.string()),
    text: z.string(),
  }),
};

type Facts = { [K in keyof typeof facts]: z.infer<(typeof facts)[K]> };
export type FactType = keyof Facts;
export type Fact = Facts[FactType];
export type FactOf<T extends FactType> = Facts[T];

/** `seq` counts from 1 without gaps in a session; `at` is milliseconds since 1970; `turn` counts from 1 (0: before any). */
export type Stamp = { v: number; seq: number; at: number; turn: number };
/** A fact this version does not know: kept and passed on untouched. */
export type UnknownFact = { type: "unknown"; original: Json };
export type Entry = (Fact | UnknownFact) & Stamp;

export type Mode = (typeof modes)[number];
export type Risk = (typeof risks)[number];
export type Verdict = (typeof verdicts)[number];
export type Scope = (typeof scopes)[number];
export type Profile = (typeof profiles)[number];
export type Grant = z.infer<typeof grant>;
export type Sandboxed = z.infer<typeof sandboxed>;
export type Coverage = (typeof coverages)[number];
export type Outcome = (typeof outcomes)[number];
export type Stopped = (typeof stops)[number];
export type ChangedFile = z.infer<typeof changedFile>;
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
  | { type: "retrying"; because: string; waitMs: number; attempt: number };
