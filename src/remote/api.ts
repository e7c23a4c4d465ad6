/**
 * The gateway's HTTP API: every route with its schemas. Input validation, the OpenAPI document and the client are all
 * derived from this table.
 */

import * as z from "zod/mini";
import { commands } from "../protocol/commands.ts";
import { part } from "../protocol/fact-parts.ts";
import { modes } from "../protocol/fact-words.ts";
import { reasonings } from "../protocol/messages.ts";
import type { Right } from "../protocol/rights.ts";
import { context, outcomeWanted, review, reviewQuery, workOutcome } from "./api-reports.ts";
import {
  about,
  alive,
  code,
  codeExchange,
  devices,
  factsPage,
  factsQuery,
  forked,
  imported,
  models,
  outcome,
  problem,
  readiness,
  session,
  sessionsPage,
  sessionsQuery,
  share,
  sharing,
  slashCommands,
  token,
  lentToolServers,
  workspaceQuery,
} from "./api-values.ts";

type Method = "GET" | "POST" | "DELETE";

/** `stream`: the content type of a reply that is streamed instead of sent as JSON. */
export type Reply = { says: string; schema?: z.ZodMiniType; stream?: string };

export type ApiRoute = {
  method: Method;
  /** `:id` stands for a session or a browser, `:callId` for a call. */
  path: string;
  says: string;
  /** The right that a person needs for it; with the session in its path, if there is one. "none": not even a token. */
  needs: Right | "none";
  query?: z.ZodMiniType;
  /** JSON, unless `stream` names another content type. */
  body?: { schema?: z.ZodMiniType; stream?: string };
  /** By status. Every route can also reply with a `problem`. */
  replies: Readonly<Record<number, Reply>>;
};

export const command = z.discriminatedUnion("type", [
  commands.send,
  commands.withdraw,
  commands["answer-approval"],
  commands["answer-question"],
  commands["answer-limit"],
  commands["go-on"],
  commands.interrupt,
  commands["set-mode"],
  commands["set-model"],
  commands["set-reasoning"],
  commands["set-goal"],
  commands["revoke-grant"],
  commands.rename,
  commands.compact,
  commands.undo,
  commands.redo,
  commands.keep,
]);

/** A new session; absent fields take the gateway's defaults. */
export const newSession = z.object({
  /** An absolute path of an existing directory. */
  workspace: z.optional(z.string()),
  /** Instead of it, the address of a git repository: the session gets a checkout of its own, on a new branch. */
  repository: z.optional(z.string()),
  /** A branch, a tag or a commit of the repository; what it proposes itself by default. */
  ref: z.optional(z.string()),
  /** The directory of the checkout to work in, below its root. */
  subdirectory: z.optional(z.string()),
  mode: z.optional(z.enum(modes)),
  /** "provider/model". */
  model: z.optional(z.string()),
  reasoning: z.optional(z.enum(reasonings)),
  title: z.optional(z.string()),
  /** The first message, as in `send`. If it is refused, no session is created. */
  content: z.optional(z.array(part)),
});

export const routes = {
  alive: {
    method: "GET",
    path: "/health/alive",
    needs: "none",
    says: "Whether the gateway answers at all. Whoever restarts what hangs asks this.",
    replies: { 200: { says: "It does.", schema: alive } },
  },
  ready: {
    method: "GET",
    path: "/health/ready",
    needs: "none",
    says: "Whether requests may be sent here: the database answers, its tables are those of this version, and the gateway is not about to stop. A proxy asks this.",
    replies: { 200: { says: "They may.", schema: readiness }, 503: { says: "Not now.", schema: readiness } },
  },
  health: {
    method: "GET",
    path: "/health",
    needs: "read",
    says: "Whether the gateway works, or why not, what it has open, and whether it is about to stop.",
    replies: {
      200: { says: "It works.", schema: about },
      503: { says: "It is not ready, or stopping.", schema: about },
    },
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    needs: "manage",
    says: "Figures for monitoring, as Prometheus reads them.",
    replies: { 200: { says: "Figures.", stream: "text/plain; version=0.0.4; charset=utf-8" } },
  },
  openapi: {
    method: "GET",
    path: "/openapi.json",
    needs: "read",
    says: "This description.",
    replies: { 200: { says: "An OpenAPI 3.1 document.", schema: z.record(z.string(), z.unknown()) } },
  },
  exchange: {
    method: "POST",
    path: "/token",
    needs: "none",
    says: "A key of this browser's own for a one-time code, as the address that is printed at the start has it.",
    body: { schema: codeExchange },
    replies: { 200: { says: "A token.", schema: token } },
  },
  newCode: {
    method: "POST",
    path: "/codes",
    needs: "manage",
    says: "A one-time code with which a browser gets a token of its own.",
    replies: { 201: { says: "A code, good once and for ten minutes.", schema: code } },
  },
  devices: {
    method: "GET",
    path: "/devices",
    needs: "read",
    says: "The signed-in browsers, the most recently used first; for a person of a team, their tokens.",
    replies: { 200: { says: "All of them.", schema: devices } },
  },
  revoke: {
    method: "DELETE",
    path: "/devices/:id",
    needs: "read",
    says: "Signs a browser out and closes its connections; `this` is the one that asks.",
    replies: { 204: { says: "It is signed out." } },
  },
  models: {
    method: "GET",
    path: "/models",
    needs: "read",
    says: "The models within reach.",
    replies: { 200: { says: "By provider.", schema: models } },
  },
  workspaceCommands: {
    method: "GET",
    path: "/slash-commands",
    needs: "work",
    says: "The commands and skills that a message of a new session may call by `/name`.",
    query: workspaceQuery,
    replies: { 200: { says: "Command files first.", schema: slashCommands } },
  },
  lendToolServers: {
    method: "POST",
    path: "/tool-servers",
    needs: "manage",
    says: "Lends tool servers of the client's own, as an editor has them, to all sessions of a workspace, in place of those that were lent before; none takes them back. They are kept in memory only. Not for browsers.",
    body: { schema: lentToolServers },
    replies: { 204: { says: "Sessions have them from their next step on." } },
  },
  sessions: {
    method: "GET",
    path: "/sessions",
    needs: "read",
    says: "Sessions, newest first; those with the words of `search` where it is given. Older ones with an unfinished request come before the newest, beyond `limit`.",
    query: sessionsQuery,
    replies: { 200: { says: "Some of them.", schema: sessionsPage } },
  },
  create: {
    method: "POST",
    path: "/sessions",
    needs: "work",
    says: "A new session, which begins with a message where there is `content`: when that is refused (409) none is made.",
    body: { schema: newSession },
    replies: { 201: { says: "The session.", schema: session } },
  },
  import: {
    method: "POST",
    path: "/sessions/import",
    needs: "work",
    says: "A session from what `export` gave, checked as a whole, then stored as a session of the gateway's workspace.",
    body: { stream: "application/x-ndjson" },
    replies: { 201: { says: "The session.", schema: imported } },
  },
  session: {
    method: "GET",
    path: "/sessions/:id",
    needs: "read",
    says: "One session.",
    replies: { 200: { says: "The session.", schema: session } },
  },
  remove: {
    method: "DELETE",
    path: "/sessions/:id",
    needs: "work",
    says: "Deletes a session for good.",
    replies: { 204: { says: "It is gone." } },
  },
  command: {
    method: "POST",
    path: "/sessions/:id/commands",
    needs: "answer",
    says: "Asks something of a session: a message, an answer, an interruption, undo … The facts tell what came of it.",
    body: { schema: command },
    replies: {
      200: { says: "It was taken.", schema: outcome },
      409: { says: "It was refused, and changed nothing.", schema: outcome },
    },
  },
  events: {
    method: "GET",
    path: "/sessions/:id/events",
    needs: "read",
    says: "Facts after a number, then what is open, then live, as server-sent events: `fact` (its id is its number) and `signal`. `Last-Event-ID` goes before `after`.",
    query: z.object({
      after: z.optional(z.string()),
      /** "1": a person reads this stream and can answer questions. */
      person: z.optional(z.string()),
    }),
    replies: { 200: { says: "Events, until the connection is closed.", stream: "text/event-stream" } },
  },
  facts: {
    method: "GET",
    path: "/sessions/:id/facts",
    needs: "read",
    says: "A page of the facts after a number.",
    query: factsQuery,
    replies: { 200: { says: "Facts in order.", schema: factsPage } },
  },
  result: {
    method: "GET",
    path: "/sessions/:id/results/:callId",
    needs: "read",
    says: "All that is kept of a call's output.",
    replies: { 200: { says: "Text.", stream: "text/plain; charset=utf-8" } },
  },
  review: {
    method: "GET",
    path: "/sessions/:id/changes",
    needs: "read",
    says: "What a request changed, file by file and hunk by hunk; of the newest one that changed something by default.",
    query: reviewQuery,
    replies: { 200: { says: "Changes.", schema: review } },
  },
  context: {
    method: "GET",
    path: "/sessions/:id/context",
    needs: "read",
    says: "What fills the context of the session.",
    replies: { 200: { says: "Tokens by kind.", schema: context } },
  },
  outcome: {
    method: "POST",
    path: "/sessions/:id/outcome",
    needs: "work",
    says: "What became of the checkout of a session, committed or not: as a branch of the repository that the worker keeps, as a patch, or pushed to a branch of the one that it is from, which is never overwritten.",
    body: { schema: outcomeWanted },
    replies: { 200: { says: "Where it is.", schema: workOutcome } },
  },
  slashCommands: {
    method: "GET",
    path: "/sessions/:id/slash-commands",
    needs: "read",
    says: "The commands and skills that a message of the session may call by `/name`.",
    replies: { 200: { says: "Command files first.", schema: slashCommands } },
  },
  sharing: {
    method: "GET",
    path: "/sessions/:id/shares",
    needs: "read",
    says: "Whose the session is, and with whom of the team it is shared.",
    replies: { 200: { says: "The owner, and the others.", schema: sharing } },
  },
  share: {
    method: "POST",
    path: "/sessions/:id/shares",
    needs: "work",
    says: "Shares the session with a person of its team, or with all of it: for reading, or for answering its questions as well.",
    body: { schema: share },
    replies: { 204: { says: "It is so from now on." } },
  },
  fork: {
    method: "POST",
    path: "/sessions/:id/fork",
    needs: "work",
    says: "A new session with everything before a request of this one; with all of it by default.",
    body: { schema: z.object({ beforeTurn: z.optional(z.number()) }) },
    replies: { 201: { says: "The new session.", schema: forked } },
  },
  export: {
    method: "GET",
    path: "/sessions/:id/export",
    needs: "read",
    says: "The whole session with all that undo needs, for `import` here or elsewhere.",
    replies: { 200: { says: "JSON lines.", stream: "application/x-ndjson" } },
  },
} as const satisfies Readonly<Record<string, ApiRoute>>;

/** The routes of the API, by name. */
export type RouteName = keyof typeof routes;

/** The reply that every route may give instead, by status: 400, 401, 403, 404, 409, 413, 415, 429, 500, 503. */
export const problemReply = { says: "What is wrong, and what to do.", schema: problem };
