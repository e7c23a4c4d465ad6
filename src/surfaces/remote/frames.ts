/** What goes over a gateway's socket: many sessions on one connection, each frame one JSON text. */

import * as z from "zod/mini";
import type { CommandOutcome } from "../../protocol/commands.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { SessionValue } from "./api-values.ts";
import { command } from "./api.ts";

/** The path, and the name under which a token may be offered as a second protocol: `toolwright, token.<token>`. */
export const socketPath = "/socket";
export const socketProtocol = "toolwright";

/** A client's own name for something, and a session's. */
const name = z.string().check(z.maxLength(200));

/** From the client. Without a token at the upgrade, `hello` with one has to be the first, within two seconds. */
export const clientFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), token: z.string() }),
  /**
   * Facts after `after`, then what is open, then live. `id` is the client's own, new for each: what comes has it, so
   * that one session may be left and followed again at once. `person`: somebody is there who can answer questions.
   */
  z.object({
    type: z.literal("follow"),
    id: name,
    session: name,
    after: z.number(),
    person: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal("leave"), id: name }),
  /** `id` is the client's own, given back with the outcome. */
  z.object({ type: z.literal("command"), id: name, session: name, command }),
  /** The list of sessions whenever it changes; the newest `limit` of them. */
  z.object({ type: z.literal("watch"), limit: z.number() }),
  z.object({ type: z.literal("unwatch") }),
  z.object({ type: z.literal("ping") }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

export type ServerFrame =
  | { type: "welcome"; version: string }
  /** In order; facts without a gap from `after` on. */
  | { type: "events"; id: string; events: (Entry | Signal)[] }
  /** Nothing more comes of what was followed: it is gone, or could not be followed. A `leave` is not answered. */
  | { type: "left"; id: string; code: string; message: string }
  | { type: "outcome"; id: string; outcome: CommandOutcome }
  | { type: "sessions"; sessions: SessionValue[]; more: boolean }
  | { type: "pong" }
  /** About a frame that was not understood or not allowed; the connection goes on. */
  | { type: "error"; code: string; message: string };

/** Why the server closes a socket, as its close code. */
export const closeCodes = {
  stopping: 1001,
  notText: 1003,
  tooLarge: 1009,
  tooSlow: 1013,
  unauthorized: 4401,
  tooMany: 4429,
} as const;
