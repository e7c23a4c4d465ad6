/** What goes over a gateway's socket: many sessions on one connection, each frame one JSON text. */
import * as z from "zod/mini";
import type { CommandOutcome } from "../../protocol/commands.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import { command } from "./api.ts";
import type { SessionValue } from "./api-values.ts";

/** The path, and the name under which a token may be offered as a second protocol: `toolwright, token.<token>`. */
export const socketPath = "/socket";
export const socketProtocol = "toolwright";

/** From the client. Without a token at the upgrade, `hello` with one has to be the first, within two seconds. */
export const clientFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), token: z.string() }),
  /** Facts after `after`, then what is open, then live. `person`: somebody is there who can answer questions. */
  z.object({
    type: z.literal("follow"),
    session: z.string(),
    after: z.number(),
    person: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal("leave"), session: z.string() }),
  /** `id` is the client's own, given back with the outcome. */
  z.object({ type: z.literal("command"), id: z.string(), session: z.string(), command }),
  /** The list of sessions whenever it changes; the newest `limit` of them. */
  z.object({ type: z.literal("watch"), limit: z.number() }),
  z.object({ type: z.literal("unwatch") }),
  z.object({ type: z.literal("ping") }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

export type ServerFrame =
  | { type: "welcome"; version: string }
  /** In order; facts without a gap from `after` on. */
  | { type: "events"; session: string; events: (Entry | Signal)[] }
  /** Nothing more comes of this session. */
  | { type: "left"; session: string; code: string; message: string }
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
