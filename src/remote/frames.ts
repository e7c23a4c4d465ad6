/** Frames on a gateway's socket: one connection carries many sessions, each frame is one JSON text. */

import * as z from "zod/mini";
import type { CommandOutcome } from "../protocol/commands.ts";
import type { Entry, Signal } from "../protocol/facts.ts";
import type { SessionValue } from "./api-values.ts";
import { command } from "./api.ts";

/** The socket's path. A token may be offered as a second subprotocol: `toolwright, token.<token>`. */
export const socketPath = "/socket";
export const socketProtocol = "toolwright";

/** An id chosen by the client, or the id of a session. */
const name = z.string().check(z.maxLength(200));

/** From the client. If the upgrade had no token, `hello` with one must come first, within two seconds. */
export const clientFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), token: z.string() }),
  /**
   * Sends facts after `after`, then what is open, then live events. `id` is chosen by the client, new for each follow,
   * and tags the events, so that a session may be left and followed again at once. `person`: a person is present who
   * can answer questions.
   */
  z.object({
    type: z.literal("follow"),
    id: name,
    session: name,
    after: z.number(),
    person: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal("leave"), id: name }),
  /** `id` is chosen by the client and returned with the outcome. */
  z.object({ type: z.literal("command"), id: name, session: name, command }),
  /** Sends the newest `limit` sessions, and again whenever the list changes. */
  z.object({ type: z.literal("watch"), limit: z.number() }),
  z.object({ type: z.literal("unwatch") }),
  z.object({ type: z.literal("ping") }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

export type ServerFrame =
  | { type: "welcome"; version: string }
  /** In order; facts without a gap from `after` on. */
  | { type: "events"; id: string; events: (Entry | Signal)[] }
  /** No more events follow: the session is gone or could not be followed. A `leave` gets no reply. */
  | { type: "left"; id: string; code: string; message: string }
  | { type: "outcome"; id: string; outcome: CommandOutcome }
  | { type: "sessions"; sessions: SessionValue[]; more: boolean }
  | { type: "pong" }
  /** A frame was not understood or not allowed; the connection stays open. `id`: of a command, which has no outcome. */
  | { type: "error"; id?: string | undefined; code: string; message: string };

/** Close codes with which the server closes a socket. */
export const closeCodes = {
  stopping: 1001,
  notText: 1003,
  tooLarge: 1009,
  tooSlow: 1013,
  unauthorized: 4401,
  tooMany: 4429,
} as const;
