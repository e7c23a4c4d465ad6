/** Schemas of all frames sent to a client of the chat protocol; docs/chat-protocol.md describes them. */

import * as z from "zod/mini";
import {
  approvalAnswered,
  approvalAsked,
  changedFile,
  grant,
  jsonObject,
  planStep,
  repair,
  sandboxed,
  todo,
  usage,
} from "../../protocol/fact-parts.ts";
import {
  deliveries,
  limitNames,
  modes,
  outcomes,
  patterns,
  risks,
  scopes,
  stops,
} from "../../protocol/fact-words.ts";
import { slashCommands } from "../../remote/api-values.ts";

/** `seq`: the number of the fact behind the frame. `turn` counts from 1. */
const from = { sessionId: z.string(), turn: z.number(), seq: z.optional(z.number()) };
const requestId = z.optional(z.string());
/** A person's typed message: text only, files as their names, and the number of attached images. */
const said = { text: z.string(), images: z.number() };
/** When an unanswered question counts as a no: milliseconds from now, and since 1970. */
const wait = { timeoutMs: z.optional(z.number()), expiresAt: z.optional(z.number()) };
const call = { ...from, callId: z.string(), name: z.string() };

const message = z.object({
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  images: z.optional(z.number()),
  turn: z.number(),
});

export const chatFrames = {
  /** The session that the connection uses from here on. `streaming`: a turn is running. */
  session: z.object({
    type: z.literal("session"),
    sessionId: z.string(),
    workspace: z.string(),
    title: z.string(),
    mode: z.optional(z.enum(modes)),
    model: z.optional(z.string()),
    streaming: z.boolean(),
    seq: z.number(),
    requestId,
  }),
  /** The conversation up to fact `seq`, alternating user and assistant; `more`: earlier messages are left out. */
  "chat.history": z.object({
    type: z.literal("chat.history"),
    sessionId: z.string(),
    seq: z.number(),
    messages: z.array(message),
    more: z.boolean(),
  }),
  /** Commands and skills that a message can invoke by `/name`; `problems`: those that cannot be invoked. */
  "chat.commands": z.object({
    type: z.literal("chat.commands"),
    sessionId: z.optional(z.string()),
    ...slashCommands.shape,
    requestId,
  }),
  /** A message that the session accepted: a request that opens a turn, or one taken by the running turn. */
  "chat.message": z.object({
    type: z.literal("chat.message"),
    ...from,
    ...said,
    how: z.enum(["request", "steer"]),
    /** The id under which the message was queued. */
    queuedId: z.optional(z.string()),
    requestId,
  }),
  "chat.queued": z.object({
    type: z.literal("chat.queued"),
    ...from,
    id: z.string(),
    ...said,
    when: z.enum(deliveries),
    requestId,
  }),
  "chat.withdrawn": z.object({ type: z.literal("chat.withdrawn"), ...from, id: z.string() }),
  /** `resumed`: the turn had already begun; its text so far follows. */
  "chat.stream.start": z.object({
    type: z.literal("chat.stream.start"),
    ...from,
    resumed: z.optional(z.boolean()),
    requestId,
  }),
  /** `offset`: position in the turn's message, in UTF-16 units. */
  "chat.stream.delta": z.object({
    type: z.literal("chat.stream.delta"),
    ...from,
    delta: z.string(),
    offset: z.number(),
  }),
  /**
   * Cuts the turn's message to this length: the text after it no longer counts (an answer that broke off is retried).
   */
  "chat.stream.reset": z.object({ type: z.literal("chat.stream.reset"), ...from, length: z.number() }),
  /** Part of one block of reasoning; an `offset` before the block's end replaces the text from there. */
  "chat.stream.reasoning": z.object({
    type: z.literal("chat.stream.reasoning"),
    ...from,
    delta: z.string(),
    block: z.number(),
    offset: z.number(),
  }),
  /** A retry of the provider is scheduled. */
  "chat.stream.retrying": z.object({
    type: z.literal("chat.stream.retrying"),
    ...from,
    because: z.string(),
    waitMs: z.number(),
    attempt: z.number(),
  }),
  /**
   * `text`: the turn's whole message, as stored. `lost`: the session can no longer be followed, or no program works on
   * the turn.
   */
  "chat.stream.end": z.object({
    type: z.literal("chat.stream.end"),
    ...from,
    stopped: z.enum([...stops, "lost"]),
    because: z.optional(z.string()),
    advice: z.optional(z.string()),
    text: z.string(),
    changed: z.array(z.string()),
    verified: z.array(z.string()),
  }),
  /** `cut`: long texts in the input are shortened here. */
  "tool.call": z.object({
    type: z.literal("tool.call"),
    ...call,
    input: jsonObject,
    cut: z.optional(z.boolean()),
  }),
  "tool.result": z.object({
    type: z.literal("tool.result"),
    ...call,
    ...said,
    cut: z.optional(z.boolean()),
    metadata: z.optional(jsonObject),
  }),
  /** A failed call; `message` has the details. */
  "tool.error": z.object({
    type: z.literal("tool.error"),
    ...call,
    outcome: z.enum(outcomes),
    message: z.string(),
    cut: z.optional(z.boolean()),
    metadata: z.optional(jsonObject),
  }),
  /** `approvalId` equals the `callId`. `preview`: the whole command or the diff. */
  "tool.approval.request": z.object({
    type: z.literal("tool.approval.request"),
    ...call,
    approvalId: z.string(),
    title: z.string(),
    because: z.string(),
    risk: z.enum(risks),
    preview: z.string(),
    grant: z.string(),
    scopes: z.array(z.enum(scopes)),
    covers: z.optional(grant),
    changes: z.optional(z.array(changedFile)),
    sandbox: z.optional(sandboxed),
    repairs: z.optional(z.array(repair)),
    /** The command, which the answer may replace. */
    command: z.optional(z.string()),
    /** The command has run; its changes wait for the answer, which may drop some of these files or hunks. */
    held: approvalAsked.held,
    ...wait,
  }),
  /** The answer that took effect, from whichever client; `by` is "timeout" if no person answered. */
  "tool.approval.response": z.object({
    type: z.literal("tool.approval.response"),
    ...call,
    approvalId: z.string(),
    approved: z.boolean(),
    scope: z.enum(scopes),
    by: z.string(),
    note: z.optional(z.string()),
    /** The command that runs instead of the one the model wrote. */
    command: z.optional(z.string()),
    /** What is not kept of a command's held changes. */
    drops: approvalAnswered.drops,
  }),
  "question.request": z.object({
    type: z.literal("question.request"),
    ...call,
    question: z.string(),
    choices: z.array(z.object({ label: z.string(), detail: z.optional(z.string()) })),
    several: z.boolean(),
    /** Present if the question is a plan. */
    steps: z.optional(z.array(planStep)),
    ...wait,
  }),
  "question.response": z.object({
    type: z.literal("question.response"),
    ...call,
    declined: z.boolean(),
    by: z.string(),
    text: z.optional(z.string()),
    chosen: z.optional(z.array(z.number())),
    steps: z.optional(z.array(planStep)),
  }),
  /** The turn has reached a limit; `offer` is the proposed new limit. */
  "limit.request": z.object({
    type: z.literal("limit.request"),
    ...from,
    limit: z.enum(limitNames),
    used: z.number(),
    most: z.number(),
    offer: z.number(),
    ...wait,
  }),
  "limit.response": z.object({
    type: z.literal("limit.response"),
    ...from,
    limit: z.enum(limitNames),
    extend: z.boolean(),
    most: z.optional(z.number()),
    by: z.string(),
  }),
  /** The model seems to be stuck; `message` is the hint it was given. */
  "failure.detected": z.object({
    type: z.literal("failure.detected"),
    ...from,
    pattern: z.enum(patterns),
    count: z.number(),
    message: z.string(),
    callId: z.optional(z.string()),
  }),
  "todo.update": z.object({ type: z.literal("todo.update"), ...from, items: z.array(todo) }),
  /** For one answer, and for the turn so far; `cost` in US dollars, where prices are known. */
  "usage.report": z.object({
    type: z.literal("usage.report"),
    ...from,
    model: z.string(),
    usage,
    cost: z.optional(z.number()),
    turnUsage: usage,
    turnCost: z.number(),
  }),
  warning: z.object({ type: z.literal("warning"), ...from, code: z.string(), message: z.string() }),
  /** A frame was not understood or was refused, or a turn failed. The connection stays open. */
  error: z.object({
    type: z.literal("error"),
    code: z.string(),
    message: z.string(),
    sessionId: z.optional(z.string()),
    turn: z.optional(z.number()),
    seq: z.optional(z.number()),
    requestId,
  }),
  pong: z.object({ type: z.literal("pong"), requestId }),
} as const;

type ChatFrameTypes = { [K in keyof typeof chatFrames]: z.infer<(typeof chatFrames)[K]> };
type FrameType = keyof ChatFrameTypes;
export type FrameOf<T extends FrameType> = ChatFrameTypes[T];
export type ChatFrame = ChatFrameTypes[FrameType];
export type HistoryMessage = z.infer<typeof message>;
