/** Schemas shared by several facts. */

import * as z from "zod/mini";
import type { Json } from "../base/json.ts";
import { coverages, profiles, risks, scopes, todoStates } from "./fact-words.ts";

const json: z.ZodMiniType<Json> = z.lazy(() => z.json());
export const jsonObject = z.record(z.string(), json);
/** Lower-case hex SHA-256 of a content; `null` if there is no file. */
export const hash = z.string();

const image = z.object({ type: z.literal("image"), mediaType: z.string(), data: z.string() });
export const part = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    text: z.string(),
    file: z.optional(z.string()),
    typed: z.optional(z.string()),
  }),
  image,
]);
/** A part of a result. `for`: people see this content elsewhere, so it is not shown to them here. */
export const resultPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), for: z.optional(z.literal("model")) }),
  image,
]);

export const opaque = z.object({ from: z.string(), value: json });
export const repair = z.object({ code: z.string(), detail: z.string(), guess: z.optional(z.boolean()) });

/** `branch`: the session's own, made at `commit`. `subdirectory`: the workspace's, below the root of the repository. */
export const checkout = z.object({
  repository: z.string(),
  ref: z.optional(z.string()),
  subdirectory: z.optional(z.string()),
  commit: z.string(),
  branch: z.string(),
});

export const call = z.object({
  id: z.string(),
  name: z.string(),
  input: jsonObject,
  source: z.string(),
  rawArguments: z.optional(z.string()),
  repairs: z.optional(z.array(repair)),
  problem: z.optional(z.string()),
  fault: z.optional(z.string()),
  state: z.optional(opaque),
  repeats: z.optional(z.union([z.object({ callId: z.string() }), z.object({ file: z.string() })])),
});

export const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.optional(z.number()),
  cacheWriteTokens: z.optional(z.number()),
  reasoningTokens: z.optional(z.number()),
});

/**
 * Why an answer failed. `message`: what happened; `advice`: what to do next (old facts append it to `message`); `said`:
 * the provider's own words within `message`. `midStream`: part of the answer had arrived, so it may be retried.
 */
export const failure = z.object({
  kind: z.string(),
  message: z.string(),
  advice: z.optional(z.string()),
  said: z.optional(z.string()),
  retryAfter: z.optional(z.number()),
  midStream: z.boolean(),
});

/** What exists at a path; `mode`: permission bits. A link's hash is that of its target's text. */
const standing = z.object({
  kind: z.enum(["file", "link", "directory"]),
  mode: z.optional(z.number()),
});

const lineCounts = z.object({ added: z.number(), removed: z.number() });

/**
 * One path as a change left it: hashes before and after, lines added and removed. `was` and `is` are present unless it
 * is a plain file whose mode did not change. `grows`: present if the same call or request had changed the file before;
 * the difference this change makes to their combined line counts (may be negative).
 */
export const changedFile = z.object({
  path: z.string(),
  before: z.nullable(hash),
  after: z.nullable(hash),
  added: z.number(),
  removed: z.number(),
  was: z.optional(standing),
  is: z.optional(standing),
  grows: z.optional(z.object({ call: lineCounts, turn: lineCounts })),
});

/**
 * A file that a command changed before anybody agreed: its hunks, in order, as a unified diff has them; `whole`: why it
 * has none, so that it is kept or dropped whole.
 */
export const heldFile = z.object({
  path: z.string(),
  hunks: z.array(z.string()),
  whole: z.optional(z.string()),
});

/** What a person did not keep of a command's changes: a file, or only these of its hunks, numbered from 1. */
export const droppedPart = z.object({ path: z.string(), hunks: z.optional(z.array(z.number())) });

/**
 * What a wider approval covers. `tool`: uses of a tool, limited to these sensitive files and hosts if there are any;
 * for an externally defined tool, as long as its definition (a hash) is unchanged. `line`: exactly this command in this
 * directory, as long as its risk has not risen and it is given no more than `outside`. `uses`: commands that begin with these words, have no findings beyond
 * these and need no wider profile; `directory` is relative to the workspace.
 */
export const grant = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("tool"),
    tool: z.string(),
    paths: z.optional(z.array(z.string())),
    hosts: z.optional(z.array(z.string())),
    definition: z.optional(z.string()),
  }),
  z.object({
    type: z.literal("line"),
    command: z.string(),
    directory: z.string(),
    risk: z.enum(risks),
    profile: z.enum(profiles),
    contained: z.boolean(),
    outside: z.optional(z.array(z.string())),
  }),
  z.object({
    type: z.literal("uses"),
    uses: z.array(z.object({ words: z.array(z.string()), findings: z.array(z.string()) })),
    profile: z.enum(profiles),
    contained: z.boolean(),
  }),
]);

/** How an allowed command runs: in which profile, whether this machine's sandbox enforces it, and what undo covers. */
export const sandboxed = z.object({
  profile: z.enum(profiles),
  isOn: z.boolean(),
  because: z.optional(z.string()),
  /** It is off for this command only: one works on this machine, but cannot hold it. */
  beyond: z.optional(z.literal(true)),
  undo: z.optional(z.enum(coverages)),
  /** It runs before anybody agrees: what it changes is held, and decided on once it has ended. */
  trial: z.optional(z.literal(true)),
  /** What it is given besides its profile: hosts ("name:port"), and absolute paths of directories and sockets. */
  outside: z.optional(z.array(z.string())),
});

/**
 * What the kernel refused a contained command. `host`: a connection, or only looking up the name (no port). `service`:
 * one of this machine, as "127.0.0.1:5432" or a socket's path. `write`: a change at an absolute path that it may not
 * change. `secret`: opening a hidden file. `process`: a signal to a process that is not its own;
 * `name`: that of its program.
 * `room`: holding what it changed until somebody agrees, because that is too much.
 */
export const refusal = z.discriminatedUnion("wanted", [
  z.object({ wanted: z.literal("host"), host: z.string(), port: z.optional(z.number()) }),
  z.object({ wanted: z.literal("service"), at: z.string() }),
  z.object({ wanted: z.literal("write"), path: z.string() }),
  z.object({ wanted: z.literal("secret"), path: z.string() }),
  z.object({ wanted: z.literal("process"), pid: z.number(), name: z.optional(z.string()) }),
  z.object({ wanted: z.literal("room"), what: z.string() }),
]);

/**
 * Where a command runs: in which directory, if not the workspace root, and `into` which program it is typed (empty if
 * unknown).
 */
export const place = z.object({ into: z.optional(z.string()), directory: z.optional(z.string()) });

/** How a call's task in a session of its own ended, and what it cost. */
export const childEnd = {
  callId: z.string(),
  session: z.string(),
  outcome: z.enum(["ok", "failed", "timeout", "cancelled"]),
  usage: z.optional(usage),
  cost: z.optional(z.number()),
  unpriced: z.optional(z.number()),
};

/** `by`: who caused the fact, where a server has people; absent elsewhere. */
export const signed = { by: z.optional(z.string()) };

/** What stopped a turn, and who. */
export const stopper = {
  because: z.optional(z.string()),
  by: z.optional(z.string()),
  device: z.optional(z.string()),
};

/**
 * What a turn leaves behind. `verified` has ids of calls; without any, `check` is a command that would. `failed`: what the
 * turn did last, if that failed although the model said that it is done.
 */
export const turnEnd = {
  advice: z.optional(z.string()),
  failed: z.optional(z.enum(["change", "command"])),
  changed: z.array(z.string()),
  verified: z.array(z.string()),
  check: z.optional(z.string()),
  text: z.string(),
};

/** One step of a plan that a person approves, changes or rejects. */
export const planStep = z.object({ title: z.string(), detail: z.optional(z.string()) });

/** One item of the model's to-do list. */
export const todo = z.object({ text: z.string(), state: z.enum(todoStates) });

/** What a call has to tell, and what it could not show or was refused. */
export const told = {
  content: z.array(resultPart),
  full: z.optional(z.object({ blob: hash, bytes: z.number(), omitted: z.optional(z.number()) })),
  refused: z.optional(z.array(refusal)),
};

/** The part of a text that weighs most, and why: UTF-16 units, the end exclusive. */
const culprit = z.object({ from: z.number(), to: z.number(), because: z.string() });

/** A question to a person about a call. `culprit`: in `preview`. */
export const approvalAsked = {
  callId: z.string(),
  title: z.string(),
  because: z.string(),
  risk: z.enum(risks),
  preview: z.string(),
  place: z.optional(place),
  command: z.optional(z.string()),
  culprit: z.optional(culprit),
  changes: z.optional(z.array(changedFile)),
  grant: z.string(),
  covers: z.optional(grant),
  scopes: z.optional(z.array(z.enum(scopes))),
  sandbox: z.optional(sandboxed),
  repairs: z.optional(z.array(repair)),
  held: z.optional(z.object({ files: z.array(heldFile), refused: z.optional(z.string()) })),
};

/** A person's answer to it. */
export const approvalAnswered = {
  callId: z.string(),
  answer: z.enum(["allow", "deny"]),
  scope: z.enum(scopes),
  by: z.string(),
  note: z.optional(z.string()),
  command: z.optional(z.string()),
  covers: z.optional(grant),
  drops: z.optional(z.array(droppedPart)),
};

export type Grant = z.infer<typeof grant>;
export type SandboxRecord = z.infer<typeof sandboxed>;
export type ExecutionLocation = z.infer<typeof place>;
export type SandboxRefusal = z.infer<typeof refusal>;
export type ChangedFile = z.infer<typeof changedFile>;
export type Culprit = z.infer<typeof culprit>;
export type HeldFile = z.infer<typeof heldFile>;
export type DroppedPart = z.infer<typeof droppedPart>;
export type PlanStep = z.infer<typeof planStep>;
export type Todo = z.infer<typeof todo>;

/** `model`: as people name it, "provider/model". */
export const modelSet = z.object({
  type: z.literal("model-set"),
  model: z.string(),
  by: z.string(),
  because: z.optional(z.string()),
});
