/** What several facts are made of. */

import * as z from "zod/mini";
import type { Json } from "../base/json.ts";
import { coverages, profiles, risks, todoStates } from "./fact-words.ts";

const json: z.ZodMiniType<Json> = z.lazy(() => z.json());
export const jsonObject = z.record(z.string(), json);
/** Lower-case hex SHA-256 of a content; `null` where there is no file. */
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
/** Of a result. `for`: people see it elsewhere, and are not shown it here. */
export const resultPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), for: z.optional(z.literal("model")) }),
  image,
]);

export const opaque = z.object({ from: z.string(), value: json });
export const repair = z.object({ code: z.string(), detail: z.string(), guess: z.optional(z.boolean()) });

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
});

export const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.optional(z.number()),
  cacheWriteTokens: z.optional(z.number()),
  reasoningTokens: z.optional(z.number()),
});

/**
 * Why an answer failed. `message`: what happened; `advice`: what to do next (in old facts it ends `message`);
 * `said`: the provider's own words of `message`. `midStream`: part of it had been heard, so it may be asked for again.
 */
export const failure = z.object({
  kind: z.string(),
  message: z.string(),
  advice: z.optional(z.string()),
  said: z.optional(z.string()),
  retryAfter: z.optional(z.number()),
  midStream: z.boolean(),
});

/** What stands at a path; `mode`: permission bits. The hash of a link is that of its target's text. */
const standing = z.object({
  kind: z.enum(["file", "link", "directory"]),
  mode: z.optional(z.number()),
});

const lineCounts = z.object({ added: z.number(), removed: z.number() });

/**
 * One path as a change left it: hashes before and after, lines added and removed. `was` and `is` are told where it is
 * not simply a file that keeps its mode. `grows`: where its call or its request had changed it before, how many lines
 * more (or fewer) all of their changes of it together come to with this one.
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
 * What a wider approval covers. `tool`: uses of a tool, limited to these sensitive files and these hosts where there
 * are any; for a tool that others define, as long as its definition (a hash) is the same. `line`: exactly this command
 * in this directory, as long as it is no riskier than it was. `uses`: commands that begin with these words, have no
 * other findings than these and need no wider profile; `directory` is relative to the workspace.
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
  }),
  z.object({
    type: z.literal("uses"),
    uses: z.array(z.object({ words: z.array(z.string()), findings: z.array(z.string()) })),
    profile: z.enum(profiles),
    contained: z.boolean(),
  }),
]);

/**
 * How a command runs once it is allowed: in which profile, whether this machine's sandbox holds it there, and what undo
 * covers.
 */
export const sandboxed = z.object({
  profile: z.enum(profiles),
  isOn: z.boolean(),
  because: z.optional(z.string()),
  undo: z.optional(z.enum(coverages)),
});

/**
 * Where a command runs: below which directory, if that is not the workspace's root, and `into` which program it is
 * typed, empty where nobody can tell.
 */
export const place = z.object({ into: z.optional(z.string()), directory: z.optional(z.string()) });

/** How a task that a call gave to a session of its own came out, and what it took. */
export const childEnd = {
  callId: z.string(),
  session: z.string(),
  outcome: z.enum(["ok", "failed", "timeout", "cancelled"]),
  usage: z.optional(usage),
  cost: z.optional(z.number()),
  unpriced: z.optional(z.number()),
};

/** One step of a plan that a person approves, changes or rejects. */
export const planStep = z.object({ title: z.string(), detail: z.optional(z.string()) });

/** One thing to do, as the model keeps its list. */
export const todo = z.object({ text: z.string(), state: z.enum(todoStates) });
