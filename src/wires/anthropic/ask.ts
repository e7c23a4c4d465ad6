/** A request to a model as Anthropic's request body. */
import type { JsonObject } from "../../base/json.ts";
import type { Ask, AssistantPart, Message, Part, ToolChoice } from "../../protocol/messages.ts";
import { blockOf } from "./state.ts";
import { limitsOf } from "./thinking.ts";
import { presentJson } from "../present.ts";

type Turn = { role: "user" | "assistant"; content: JsonObject[] };
type Ids = (id: string) => string;

/** Marks the end of what the next request will begin with again, so that it is read from the cache. */
const cached = { cache_control: { type: "ephemeral" } } as const;

/**
 * Encodes a request. Not carried: `contextTokens` (the server knows), reasoning without a state of Anthropic's,
 * texts without a visible character (they are refused), and a tool choice without tools.
 */
export function encodeAsk(ask: Ask, streamed: boolean): JsonObject {
  return presentJson({
    model: ask.model,
    ...limitsOf(ask),
    system: ask.system.trim() === "" ? undefined : [{ type: "text", text: ask.system, ...cached }],
    messages: markLast(turnsOf(ask.messages)),
    tools: toolsOf(ask),
    tool_choice: ask.tools.length > 0 && ask.toolChoice ? toolChoice(ask.toolChoice) : undefined,
    stop_sequences: ask.stop,
    stream: streamed ? true : undefined,
  });
}

function toolsOf(ask: Ask): JsonObject[] | undefined {
  if (ask.tools.length === 0) return undefined;
  return ask.tools.map(({ name, description, schema }, at) => ({
    name,
    description,
    input_schema: schema,
    ...(at === ask.tools.length - 1 ? cached : {}),
  }));
}

function toolChoice(choice: ToolChoice): JsonObject {
  if (typeof choice === "object") return { type: "tool", name: choice.name };
  return { type: choice === "required" ? "any" : choice };
}

/** The messages with those of one role joined, as roles must alternate; in each, tool results come first. */
function turnsOf(messages: readonly Message[]): Turn[] {
  const ids = safeIds();
  const turns: Turn[] = [];
  for (const message of messages) {
    const content = contentOf(message, ids);
    if (content.length === 0) continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return turns.map(({ role, content }) => ({ role, content: resultsFirst(content) }));
}

function resultsFirst(content: JsonObject[]): JsonObject[] {
  const results = content.filter((block) => block["type"] === "tool_result");
  return results.length === 0
    ? content
    : [...results, ...content.filter((block) => block["type"] !== "tool_result")];
}

/** Thinking blocks cannot be marked; the block before them is. */
function markLast(turns: Turn[]): JsonObject[] {
  const last = turns.at(-1)?.content.findLast((block) => !isThinking(block));
  return turns.map(({ role, content }) => ({
    role,
    content: content.map((block) => (block === last ? { ...block, ...cached } : block)),
  }));
}

const isThinking = (block: JsonObject): boolean =>
  block["type"] === "thinking" || block["type"] === "redacted_thinking";

function contentOf(message: Message, ids: Ids): JsonObject[] {
  if (message.role === "user") return message.content.flatMap(partBlock);
  if (message.role === "assistant") return message.content.flatMap((part) => assistantBlock(part, ids));
  const said = message.content.flatMap(partBlock);
  // A failure without a word is refused.
  const content = said.length === 0 && message.isError ? [{ type: "text", text: "(no output)" }] : said;
  const result = presentJson({
    type: "tool_result",
    tool_use_id: ids(message.callId),
    content: content.length === 0 ? undefined : content,
    is_error: message.isError ? true : undefined,
  });
  return [result];
}

function assistantBlock(part: AssistantPart, ids: Ids): JsonObject[] {
  if (part.type === "text") return partBlock(part);
  if (part.type === "reasoning") {
    const block = blockOf(part.state);
    return block ? [block] : [];
  }
  return [{ type: "tool_use", id: ids(part.call.id), name: part.call.name, input: part.call.input }];
}

function partBlock(part: Part): JsonObject[] {
  if (part.type === "text") return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
  return [{ type: "image", source: { type: "base64", media_type: part.mediaType, data: part.data } }];
}

/** Ids with only the characters that are accepted; different ids stay different. */
function safeIds(): Ids {
  const safe = new Map<string, string>();
  const taken = new Set<string>();
  return (id) => {
    const known = safe.get(id);
    if (known !== undefined) return known;
    const cleaned = id.replaceAll(/[^a-zA-Z0-9_-]/g, "_") || "call";
    let made = cleaned;
    for (let count = 2; taken.has(made); count++) made = `${cleaned}_${count}`;
    safe.set(id, made);
    taken.add(made);
    return made;
  };
}
