/** Schemas of the values in the gateway's API besides facts and commands. */

import * as z from "zod/mini";
import { usage } from "../protocol/fact-parts.ts";
import { modes } from "../protocol/fact-words.ts";
import type { Entry } from "../protocol/facts.ts";
import { rights } from "../protocol/rights.ts";
import { conflict } from "./api-conflict.ts";

/** `code` is for programs; `message` says what happened and what to do next. */
export const problem = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const standings = z.enum(["ok", "unready", "stopping"]);
export const alive = z.object({ status: z.literal("ok") });
export const readiness = z.object({ status: standings });

export const about = z.object({
  status: standings,
  /** Why it is not ready. */
  problem: z.optional(z.string()),
  version: z.string(),
  /** The default workspace of new sessions. */
  workspace: z.string(),
  /** The default mode of new sessions. */
  mode: z.enum(modes),
  uptimeMs: z.number(),
  /** Sessions open in this gateway, and how many of them are working on a turn. */
  sessions: z.object({ open: z.number(), working: z.number() }),
  connections: z.number(),
});

export const code = z.object({ code: z.string() });
/** `has`: the key that this browser has already; if it is valid, the browser keeps it. */
export const codeExchange = z.object({ code: z.string(), has: z.optional(z.string()) });
export const token = z.object({ token: z.string() });

/** A signed-in browser. Times are milliseconds since 1970. */
export const device = z.object({
  id: z.string(),
  name: z.string(),
  since: z.number(),
  seen: z.number(),
  /** The one that asks. */
  isThis: z.boolean(),
});
/** A signed-in browser, as a gateway reports it. */
export type DeviceValue = z.infer<typeof device>;
export const devices = z.object({ devices: z.array(device) });

export const models = z.object({
  providers: z.array(
    z.object({ provider: z.string(), models: z.array(z.string()), problem: z.optional(z.string()) }),
  ),
  /** The model of sessions that name none; absent if those are refused. */
  usual: z.optional(z.string()),
});

/** `left-open`: a request is unfinished and no program works on it. Times are milliseconds since 1970. */
export const session = z.object({
  id: z.string(),
  title: z.string(),
  workspace: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  facts: z.number(),
  standing: z.enum(["idle", "running", "waiting", "left-open"]),
  /** The other program that has the session open, in words. */
  heldBy: z.optional(z.string()),
  /** The last request failed. */
  failed: z.optional(z.literal(true)),
  turns: z.number(),
  answers: z.number(),
  usage,
  /** US dollars; `unknown` counts answers whose price is not known. */
  cost: z.object({ dollars: z.number(), unknown: z.number() }),
  /** The session that this one was forked from, and the last fact copied. */
  from: z.optional(z.object({ session: z.string(), seq: z.number() })),
  /** The session whose call started this one as a subagent. */
  parent: z.optional(z.string()),
  /** For a search: one line of text around the match. */
  excerpt: z.optional(z.string()),
  /** For a person of a team: the most that they may do with it; and whose it is, where it is another's. */
  access: z.optional(z.enum(rights)),
  owner: z.optional(z.string()),
});
/** A session, as a gateway reports it. @public */
export type SessionValue = z.infer<typeof session>;

const shareRight = z.enum(["read", "answer"]);
/** Whose the session is, absent if nobody's; and who else may do what. Without `person`: everybody of the tenant. */
export const sharing = z.object({
  person: z.optional(z.string()),
  shares: z.array(z.object({ person: z.optional(z.string()), right: shareRight })),
});
export type SharingValue = z.infer<typeof sharing>;
/** Without `person`: everybody of the tenant. Without `right`: no longer. */
export const share = z.object({ person: z.optional(z.string()), right: z.optional(shareRight) });
export type ShareValue = z.infer<typeof share>;

export const sessionsQuery = z.object({
  search: z.optional(z.string()),
  /** Lists subagent sessions started by calls of this session; other lists omit them, except searches. */
  parent: z.optional(z.string()),
  /** Page size; 50 by default. */
  limit: z.optional(z.string()),
  /** Lists the sessions after this one. */
  after: z.optional(z.string()),
});

/** `more`: further sessions follow the last one. */
export const sessionsPage = z.object({ sessions: z.array(session), more: z.boolean() });

/**
 * A stored fact (docs/events.md): validated by the program that wrote it, and passed on by versions that do not know
 * it.
 */
export const entry = z.custom<Entry>(
  (value) => typeof value === "object" && value !== null && "seq" in value && "type" in value,
);

export const factsQuery = z.object({ after: z.optional(z.string()), limit: z.optional(z.string()) });
export const factsPage = z.object({ facts: z.array(entry), more: z.boolean() });

/** The outcome of a command. A refused command changed nothing. */
export const outcome = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), problem: z.string(), conflicts: z.optional(z.array(conflict)) }),
]);

/**
 * Tool servers of a client's own, by name, for all sessions of a workspace (an absolute path; the gateway's own by
 * default). They listen on this computer; `headers` are sent with each request. `reads`: what they say of tools that
 * only read is believed.
 */
export const lentToolServers = z.object({
  workspace: z.optional(z.string()),
  servers: z.record(
    z.string().check(z.regex(/^[\w.-]{1,64}$/u)),
    z.object({
      type: z.optional(z.literal("http")),
      url: z
        .string()
        .check(z.regex(/^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}\//u, "a loopback address")),
      headers: z.optional(z.record(z.string(), z.string())),
      reads: z.optional(z.boolean()),
      withoutTools: z.optional(z.array(z.string())),
    }),
  ),
});

export const workspaceQuery = z.object({
  /** An absolute path; the gateway's own workspace by default. */
  workspace: z.optional(z.string()),
});

/** A command or skill from a file, which a message invokes as `/name` followed by arguments. */
const slashCommand = z.object({
  kind: z.enum(["command", "skill"]),
  name: z.string(),
  /** The name as written in the file's name, where it cannot be typed as one word. */
  written: z.optional(z.string()),
  /** One sentence. */
  description: z.string(),
  /** Describes the arguments that may follow the name. */
  argumentHint: z.optional(z.string()),
  /** Settings in the file's front matter that are ignored, in one line. */
  unheeded: z.optional(z.string()),
  /** Where it was defined; if both define a name, the user's wins. */
  from: z.enum(["user", "workspace"]),
  /** The file that defines it, or the tool server that offers it. */
  path: z.string(),
});
/** A command or skill, as a gateway reports it. */
export type SlashCommandValue = z.infer<typeof slashCommand>;

/** `problems`: one line for each file that cannot be invoked. */
export const slashCommands = z.object({
  commands: z.array(slashCommand),
  problems: z.array(z.string()),
});

export const imported = z.object({ session, was: z.string(), closed: z.boolean() });
export const forked = z.object({ session });
