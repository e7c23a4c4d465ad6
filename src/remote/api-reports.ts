/** Schemas of a gateway's reports about a session: its changes for review, and what fills its context. */

import * as z from "zod/mini";
import { conflict } from "./api-conflict.ts";

const status = z.enum(["none", "pending", "partial", "undone", "kept"]);

const file = z.object({
  path: z.string(),
  action: z.enum(["created", "modified", "deleted"]),
  kind: z.enum(["file", "link", "directory"]),
  /** Permission bits before and after, where they differ. */
  mode: z.optional(z.object({ before: z.number(), after: z.number() })),
  status,
  added: z.number(),
  removed: z.number(),
});

const reviewedFile = z.extend(file, {
  /** A unified diff. */
  diff: z.string(),
  /** Numbered from 1, as `undo` expects them. */
  hunks: z.array(z.object({ number: z.number(), text: z.string() })),
  /** Why there are no hunks. */
  problem: z.optional(z.string()),
  /** The conflict that an undo would meet now. */
  conflict: z.optional(conflict),
});

export const reviewQuery = z.object({ turn: z.optional(z.string()) });

export const review = z.object({
  id: z.string(),
  turn: z.number(),
  startedAt: z.number(),
  status,
  added: z.number(),
  removed: z.number(),
  files: z.array(reviewedFile),
  directories: z.array(file),
});
/** A turn's changes, as a gateway reports them. @experimental */
export type ReviewValue = z.infer<typeof review>;

/** `to`: a branch to push to; the session's own by default. */
export const outcomeWanted = z.discriminatedUnion("as", [
  z.object({ as: z.literal("branch") }),
  z.object({ as: z.literal("patch") }),
  z.object({ as: z.literal("push"), to: z.optional(z.string()) }),
]);

/** `commit`: of all files as they stand; `base`: what they were checked out from. */
export const workOutcome = z.object({
  base: z.string(),
  commit: z.string(),
  branch: z.optional(z.string()),
  patch: z.optional(z.string()),
});

/** In tokens; counts missing from the provider are estimated. */
export const context = z.object({
  session: z.string(),
  model: z.string(),
  /** `isAssumed`: the model's window is unknown, and this is a typical size. */
  window: z.number(),
  isAssumed: z.boolean(),
  limit: z.number(),
  makesRoomAt: z.number(),
  tokens: z.number(),
  counted: z.number(),
  parts: z.array(z.object({ of: z.string(), tokens: z.number(), count: z.number() })),
  largest: z.array(z.object({ callId: z.string(), name: z.string(), title: z.string(), tokens: z.number() })),
  leftOut: z.number(),
  compactions: z.number(),
});
/** What fills the context, as a gateway reports it. @experimental */
export type ContextValue = z.infer<typeof context>;
