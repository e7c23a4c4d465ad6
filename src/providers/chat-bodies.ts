/** Vendor-specific changes to requests in the Chat Completions format. */

import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import type { Ask } from "../protocol/messages.ts";
import { nineCharacterIds } from "../wires/call-ids.ts";

/**
 * Rewrites call ids to nine letters and digits; the vendor refuses others. mistral-common,
 * protocol/instruct/validator.py: "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9."
 */
export function withShortIds(body: JsonObject): JsonObject {
  const ids = nineCharacterIds();
  const short = (id: Json | undefined): Json => (typeof id === "string" ? ids(id) : (id ?? null));
  return mapMessages(body, (message) => {
    const { tool_calls: calls, tool_call_id: id } = message;
    if (id !== undefined) return { ...message, tool_call_id: short(id) };
    if (!Array.isArray(calls)) return message;
    const tool_calls = calls.map((call) => (isJsonObject(call) ? { ...call, id: short(call["id"]) } : call));
    return { ...message, tool_calls };
  });
}

/**
 * Inserts an assistant message between tool results and the next user message, which the vendor requires.
 * mistral-common, protocol/instruct/validator.py: "Unexpected role 'user' after role 'tool'".
 */
export function withAnswersBetween(body: JsonObject): JsonObject {
  const { messages } = body;
  if (!Array.isArray(messages)) return body;
  const spaced = messages.flatMap((message, at): Json[] => {
    const [role, before] = [roleOf(message), roleOf(messages[at - 1])];
    return role === "user" && before === "tool"
      ? [{ role: "assistant", content: "I see." }, message]
      : [message];
  });
  return { ...body, messages: spaced };
}

/**
 * Adds reasoning, if only an empty one, to every answer with calls: in thinking mode the vendor refuses answers that
 * lack it, and answers of other models never had any. https://api-docs.deepseek.com/guides/thinking_mode
 */
export function withThoughts(body: JsonObject): JsonObject {
  return mapMessages(body, (message) =>
    message["role"] !== "assistant" || message["reasoning_content"] !== undefined
      ? message
      : { ...message, reasoning_content: "" },
  );
}

/** https://docs.mistral.ai/studio-api/conversations/advanced/prompt-caching; other servers refuse the field. */
export const withCacheKey = (body: JsonObject, ask?: Ask): JsonObject =>
  ask?.cacheKey === undefined ? body : { ...body, prompt_cache_key: ask.cacheKey };

const cached = { cache_control: { type: "ephemeral" } } as const;
const markedEnds = 2;

/**
 * Adds cache marks for Claude behind a broker, which caches only marked parts: the system prompt, the end of this
 * request and of the previous one (as in wires/anthropic/ask.ts). Other models cache by themselves. OpenRouter's own
 * client marks parts of system and user messages, and results as a whole.
 * https://openrouter.ai/docs/features/prompt-caching
 */
export function withCacheMarks(body: JsonObject): JsonObject {
  const { model, messages } = body;
  if (typeof model !== "string" || !/^~?anthropic\//.test(model) || !Array.isArray(messages)) return body;
  const system = messages.filter((message) => roleOf(message) === "system" && isMarkable(message));
  const marks = new Set<Json>([...system.slice(-1), ...endsOf(messages).slice(-markedEnds)]);
  return mapMessages(body, (message) => (marks.has(message) ? withCacheMark(message) : message));
}

/** The last markable message of each stretch between two answers. */
function endsOf(messages: readonly Json[]): Json[] {
  const ends: Json[] = [];
  let end: Json | undefined;
  for (const message of [...messages, { role: "assistant" }]) {
    const role = roleOf(message);
    if (role !== "assistant") end = role !== "system" && isMarkable(message) ? message : end;
    else if (end !== undefined) {
      ends.push(end);
      end = undefined;
    }
  }
  return ends;
}

/** An empty text cannot be marked. */
function isMarkable(message: Json): boolean {
  const content = isJsonObject(message) ? message["content"] : undefined;
  return typeof content === "string" ? content.trim() !== "" : Array.isArray(content) && content.length > 0;
}

function withCacheMark(message: JsonObject): JsonObject {
  const { role, content } = message;
  if (role === "tool") return { ...message, ...cached };
  if (typeof content === "string")
    return { ...message, content: [{ type: "text", text: content, ...cached }] };
  if (!Array.isArray(content)) return message;
  const last = content.length - 1;
  return {
    ...message,
    content: content.map((part, at) => (at === last && isJsonObject(part) ? { ...part, ...cached } : part)),
  };
}

export const without = (body: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== field));

const roleOf = (message: Json | undefined): Json | undefined =>
  message !== undefined && isJsonObject(message) ? message["role"] : undefined;

function mapMessages(body: JsonObject, change: (message: JsonObject) => JsonObject): JsonObject {
  const { messages } = body;
  if (!Array.isArray(messages)) return body;
  return { ...body, messages: messages.map((each) => (isJsonObject(each) ? change(each) : each)) };
}
