/** The facts about what people write: requests, and messages that wait for the running turn. */

import * as z from "zod/mini";
import { part, signed } from "./fact-parts.ts";
import { deliveries, sources } from "./fact-words.ts";

export const messageFacts = {
  /** A request by a person or program; it opens a turn. `queued`: its id while it waited; `id`: its sender's own. */
  "user-message": z.object({
    type: z.literal("user-message"),
    content: z.array(part),
    queued: z.optional(z.string()),
    id: z.optional(z.string()),
    ...signed,
  }),
  /** A message sent during a turn, for its next safe point (`steer`) or its end (`next`). `said`: added by hooks. */
  "message-queued": z.object({
    type: z.literal("message-queued"),
    id: z.string(),
    content: z.array(part),
    when: z.enum(deliveries),
    said: z.optional(z.array(z.object({ from: z.enum(sources), name: z.string(), text: z.string() }))),
    ...signed,
  }),
  /** A queued message that its sender withdrew. */
  "message-withdrawn": z.object({ type: z.literal("message-withdrawn"), id: z.string(), ...signed }),
  /** A queued message that the running turn took, between two answers. `queued` and `id` as in `user-message`. */
  steer: z.object({
    type: z.literal("steer"),
    content: z.array(part),
    queued: z.optional(z.string()),
    id: z.optional(z.string()),
    ...signed,
  }),
};
