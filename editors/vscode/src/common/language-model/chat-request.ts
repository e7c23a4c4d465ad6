/** Writes a conversation as a request in OpenAI's chat form, as the language-model server reads it. */

import { inEnglishOnly } from "../translate.ts";
import type { ChatAsk, ChatPart, ChatTurn, OfferedTool } from "./chat-parts.ts";

type ContentEntry = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };
type Content = string | ContentEntry[];
type CallEntry = { id: string; type: "function"; function: { name: string; arguments: string } };

type MessageEntry =
  | { role: "system"; content: string }
  | { role: "user"; content: Content }
  | { role: "assistant"; content: string | null; tool_calls?: CallEntry[] }
  | { role: "tool"; tool_call_id: string; content: Content };

type ChatRequest = Record<string, unknown> & { messages: MessageEntry[] };

export function chatRequest({ model, turns, tools, mustCall, options }: ChatAsk): ChatRequest {
  return {
    ...options,
    model,
    messages: turns.flatMap(messagesOf),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(toolEntry), tool_choice: mustCall ? "required" : "auto" }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** One turn of VS Code may hold several results and words beside them; each result is a message of its own. */
function messagesOf({ role, parts }: ChatTurn): MessageEntry[] {
  switch (role) {
    case "system":
      return [{ role, content: textOf(parts) }];
    case "assistant":
      return [answerEntry(parts)];
    case "user":
      return [...parts.flatMap(resultEntry), ...wordsEntry(parts)];
    default:
      return role satisfies never;
  }
}

function answerEntry(parts: readonly ChatPart[]): MessageEntry {
  const calls = parts.flatMap((part) => (part.type === "call" ? [callEntry(part)] : []));
  const text = textOf(parts);
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

const callEntry = ({ id, name, input }: ChatPart & { type: "call" }): CallEntry => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(input ?? {}) },
});

const resultEntry = (part: ChatPart): MessageEntry[] =>
  part.type === "result" ? [{ role: "tool", tool_call_id: part.id, content: contentOf(part.content) }] : [];

function wordsEntry(parts: readonly ChatPart[]): MessageEntry[] {
  const words = parts.filter(({ type }) => type === "text" || type === "data");
  return words.length === 0 ? [] : [{ role: "user", content: contentOf(words) }];
}

/** A plain text where there are no pictures: every server takes that. */
function contentOf(parts: readonly ChatPart[]): Content {
  const pictures = parts.some((part) => part.type === "data" && isPicture(part.mediaType));
  return pictures ? parts.flatMap(entriesOf) : textOf(parts);
}

function entriesOf(part: ChatPart): ContentEntry[] {
  if (part.type === "data" && isPicture(part.mediaType)) {
    const url = `data:${part.mediaType};base64,${base64(part.bytes)}`;
    return [{ type: "image_url", image_url: { url } }];
  }
  const text = textOf([part]);
  return text === "" ? [] : [{ type: "text", text }];
}

const isPicture = (mediaType: string): boolean => mediaType.startsWith("image/");

/** Data that is text, such as JSON, is told as such; other data only by name. */
const textOf = (parts: readonly ChatPart[]): string =>
  parts
    .map((part) => {
      if (part.type === "text") return part.text;
      if (part.type !== "data" || isPicture(part.mediaType)) return "";
      if (part.mediaType === cacheMark) return "";
      const isText = /^text\/|[/+]json$/u.test(part.mediaType);
      return isText ? new TextDecoder().decode(part.bytes) : inEnglishOnly(`[${part.mediaType}, not shown]`);
    })
    .join("");

/** VS Code marks where a provider may cache with a part that has no content for the model. */
const cacheMark = "cache_control";

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

const toolEntry = ({ name, description, schema }: OfferedTool) => ({
  type: "function" as const,
  function: { name, description, parameters: schema ?? { type: "object", properties: {} } },
});
