/** What goes over a gateway's wire besides facts and commands. */

import * as z from "zod/mini";
import { usage } from "../../protocol/fact-parts.ts";
import { modes } from "../../protocol/fact-words.ts";
import type { Entry } from "../../protocol/facts.ts";
import { conflict } from "./api-conflict.ts";

/** `code` is for programs, `message` says what happened and what to do next. */
export const problem = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export const about = z.object({
  status: z.enum(["ok", "stopping"]),
  version: z.string(),
  /** The workspace of sessions that name none. */
  workspace: z.string(),
  /** The mode of sessions that name none. */
  mode: z.enum(modes),
  uptimeMs: z.number(),
  /** Open here, and of these: worked on. */
  sessions: z.object({ open: z.number(), working: z.number() }),
  connections: z.number(),
});

export const code = z.object({ code: z.string() });
export const token = z.object({ token: z.string() });

export const models = z.object({
  providers: z.array(
    z.object({ provider: z.string(), models: z.array(z.string()), problem: z.optional(z.string()) }),
  ),
});

/** `left-open`: nobody works on a request that is not over. Times are milliseconds since 1970. */
export const session = z.object({
  id: z.string(),
  title: z.string(),
  workspace: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  facts: z.number(),
  standing: z.enum(["idle", "running", "waiting", "left-open"]),
  /** The other program that has it open, for people. */
  heldBy: z.optional(z.string()),
  turns: z.number(),
  answers: z.number(),
  usage,
  /** US dollars; `unknown`: answers whose price is not known. */
  cost: z.object({ dollars: z.number(), unknown: z.number() }),
  /** It began as a copy of this one, up to there. */
  from: z.optional(z.object({ session: z.string(), seq: z.number() })),
  /** The session whose call gave it its task. */
  parent: z.optional(z.string()),
  /** Where words were searched for: one line around them. */
  excerpt: z.optional(z.string()),
});
/** A session as a gateway tells it. */
export type SessionValue = z.infer<typeof session>;

export const sessionsQuery = z.object({
  search: z.optional(z.string()),
  /**
   * Subagents' sessions that calls of this one have begun; other lists leave such out, unless words are searched for.
   */
  parent: z.optional(z.string()),
  /** At most this many; 50 by default. */
  limit: z.optional(z.string()),
  /** Sessions that come after this one in the list. */
  after: z.optional(z.string()),
});

/** `more`: there are others after the last one. */
export const sessionsPage = z.object({ sessions: z.array(session), more: z.boolean() });

/** A fact as it is stored (docs/events.md): checked where it was made, and passed on by those that do not know it. */
export const entry = z.custom<Entry>(
  (value) => typeof value === "object" && value !== null && "seq" in value && "type" in value,
);

export const factsQuery = z.object({ after: z.optional(z.string()), limit: z.optional(z.string()) });
export const factsPage = z.object({ facts: z.array(entry), more: z.boolean() });

/** What came of a command. A refused one changed nothing. */
export const outcome = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), problem: z.string(), conflicts: z.optional(z.array(conflict)) }),
]);

export const workspaceQuery = z.object({
  /** An absolute path; that of the gateway by default. */
  workspace: z.optional(z.string()),
});

/** What a message may call, from files: `/name` and what stands behind it. */
const slashCommand = z.object({
  kind: z.enum(["command", "skill"]),
  name: z.string(),
  /** As it is written in its file's name, where that cannot be typed as one word. */
  written: z.optional(z.string()),
  /** One sentence. */
  description: z.string(),
  /** What may stand behind the name, in words. */
  argumentHint: z.optional(z.string()),
  /** What its head asks for and is not done, in a line. */
  unheeded: z.optional(z.string()),
  /** Whose it is; of two with one name the user's counts. */
  from: z.enum(["user", "workspace"]),
  /** The file that it stands in, or which tool server offers it. */
  path: z.string(),
});
/** A command or skill as a gateway tells it. */
export type SlashCommandValue = z.infer<typeof slashCommand>;

/** `problems`: what is there and cannot be called, a line each. */
export const slashCommands = z.object({
  commands: z.array(slashCommand),
  problems: z.array(z.string()),
});

export const imported = z.object({ session, was: z.string(), closed: z.boolean() });
export const forked = z.object({ session });
