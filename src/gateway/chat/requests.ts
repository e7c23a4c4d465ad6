/** Schemas of the requests that a chat client may send; any other frame is answered with an `error`. */

import * as z from "zod/mini";
import type { Expected } from "../../base/expected.ts";
import { isDeeperThan, isObject, type Json, parseJson } from "../../base/json.ts";
import { approvalAnswered, planStep } from "../../protocol/fact-parts.ts";
import { deliveries, scopes } from "../../protocol/fact-words.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { remoteBounds } from "../../remote/bounds.ts";
import { gatewayBounds } from "../bounds.ts";

/** Values in one frame of a chat-protocol client. */
const mostChatValues = 4_096;

const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

const content = z.union([
  z.string(),
  z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("text"), text: z.string() }),
      /** `data`: Base64. */
      z.object({ type: z.literal("image"), mediaType: z.enum(imageTypes), data: z.base64() }),
    ]),
  ),
]);

const sessionId = z.optional(z.string());
/** Returned with the outcome. */
const requestId = z.optional(z.string());

/** Without `sessionId`, a request applies to the session that the connection used last. */
export const chatRequests = {
  /** Opens a turn; during a turn, waits for the next safe point (`steer`) or the turn's end (`next`). */
  "chat.send": z.object({
    type: z.literal("chat.send"),
    content,
    sessionId,
    requestId,
    when: z.optional(z.enum(deliveries)),
  }),
  /** Sends the session's history, then follows it. */
  "chat.open": z.object({ type: z.literal("chat.open"), sessionId: z.string(), requestId }),
  /** Lists what a message can invoke by `/name` in this session or, without one, in a new session. */
  "chat.commands": z.object({ type: z.literal("chat.commands"), sessionId, requestId }),
  "chat.cancel": z.object({ type: z.literal("chat.cancel"), sessionId, requestId }),
  /** Resumes a turn that no program works on. */
  "chat.continue": z.object({ type: z.literal("chat.continue"), sessionId, requestId }),
  /** Withdraws a queued message. */
  "chat.withdraw": z.object({ type: z.literal("chat.withdraw"), id: z.string(), sessionId, requestId }),
  /** `approvalId` and `callId` are the same; either one is enough. */
  "tool.approval.response": z.object({
    type: z.literal("tool.approval.response"),
    approvalId: z.optional(z.string()),
    callId: z.optional(z.string()),
    approved: z.boolean(),
    scope: z.optional(z.enum(scopes)),
    note: z.optional(z.string()),
    /** Runs this command instead of the one in the question; it is checked again. */
    command: z.optional(z.string()),
    /** Of `held` changes: what is not kept; hunks are numbered from 1. */
    drops: approvalAnswered.drops,
    sessionId,
    requestId,
  }),
  "question.response": z.object({
    type: z.literal("question.response"),
    callId: z.string(),
    declined: z.optional(z.boolean()),
    text: z.optional(z.string()),
    chosen: z.optional(z.array(z.number())),
    steps: z.optional(z.array(planStep)),
    sessionId,
    requestId,
  }),
  /** `most`: the new limit for the turn; the offered one by default. */
  "limit.response": z.object({
    type: z.literal("limit.response"),
    extend: z.boolean(),
    most: z.optional(z.number()),
    sessionId,
    requestId,
  }),
  ping: z.object({ type: z.literal("ping"), requestId }),
} as const;

type Requests = { [K in keyof typeof chatRequests]: z.infer<(typeof chatRequests)[K]> };
export type ChatRequest = Requests[keyof Requests];
export type RequestOf<T extends keyof Requests> = Requests[T];

const chatRequest = z.discriminatedUnion("type", [
  chatRequests["chat.send"],
  chatRequests["chat.open"],
  chatRequests["chat.commands"],
  chatRequests["chat.cancel"],
  chatRequests["chat.continue"],
  chatRequests["chat.withdraw"],
  chatRequests["tool.approval.response"],
  chatRequests["question.response"],
  chatRequests["limit.response"],
  chatRequests.ping,
]);

/** A problem with a frame, for programs (`code`) and people (`message`). */
export type Fault = { code: string; message: string; requestId?: string };
type ParsedRequest = { ok: true; request: ChatRequest } | { ok: false; fault: Fault };

/** Parses one frame; no input makes this throw. */
export function readRequest(text: string): ParsedRequest {
  if (Buffer.byteLength(text) > remoteBounds.frameBytes.most)
    return bad("too-large", "This frame is too large. Send less at once, or over HTTP.");
  const parsed = parseJson(text);
  if (!parsed.ok)
    return bad("not-json", `This frame is not JSON: ${parsed.problem.slice(0, shownOfProblem)}`);
  if (isDeeperThan(gatewayBounds.depth.most, parsed.value))
    return bad("too-deep", "Lists and objects are nested too deep here. Send them flatter.");
  if (hasMoreThan(mostChatValues, parsed.value))
    return bad("too-large", "There are too many parts in this frame. Send them in several.");
  const { value } = parsed;
  if (!isObject(value) || typeof value["type"] !== "string")
    return bad("invalid", "A frame is a JSON object with a `type`.");
  const id = typeof value["requestId"] === "string" ? { requestId: value["requestId"] } : {};
  if (!Object.hasOwn(chatRequests, value["type"])) {
    const known = Object.keys(chatRequests).join(", ");
    const name = JSON.stringify(value["type"].slice(0, shownOfProblem));
    return bad("unknown-type", `There is no frame of type ${name}. Known are ${known}.`, id);
  }
  const read = z.safeParse(chatRequest, value);
  if (read.success) return { ok: true, request: read.data };
  const [issue] = read.error.issues;
  const where = issue?.path.join(".") || "the frame";
  const words = `${where}: ${issue?.message ?? "not understood"}`.slice(0, shownOfProblem);
  return bad("invalid", `This ${value["type"]} cannot be read. ${words}`, id);
}

function hasMoreThan(most: number, value: Json): boolean {
  const open: Json[] = [value];
  for (let count = 0; open.length > 0; count += 1) {
    if (count + open.length > most) return true;
    const one = open.pop();
    if (typeof one === "object" && one !== null) open.push(...Object.values(one).slice(0, most + 1));
  }
  return false;
}

/** Characters of the client's own text quoted in a problem. */
const shownOfProblem = 300;

const bad = (code: string, message: string, more: { requestId?: string } = {}): ParsedRequest => ({
  ok: false,
  fault: { code, message, ...more },
});

/** A message's parts, and an approval's call; the problem says what is missing. */
export const partsOf = ({ content: said }: RequestOf<"chat.send">): ContentPart[] =>
  typeof said === "string" ? [{ type: "text", text: said }] : said;

export function callOf({ approvalId, callId }: RequestOf<"tool.approval.response">): Expected<string> {
  const id = callId ?? approvalId;
  if (id === undefined) return { ok: false, problem: "Say which: `approvalId` as the request has it." };
  if (approvalId !== undefined && approvalId !== id)
    return { ok: false, problem: "`approvalId` and `callId` name two different calls. Send one of them." };
  return { ok: true, value: id };
}
