/** Encodes a model request as Anthropic's request body. */

import type { JsonObject } from "../../base/json.ts";
import { formsOf } from "../../base/kept-json.ts";
import type { Ask, AssistantPart, Message, ContentPart, ToolChoice } from "../../protocol/messages.ts";
import { type CallIdMapping, idsIn, safeIds } from "../call-ids.ts";
import { presentJson } from "../present.ts";
import { strictSchema } from "../strict-schema.ts";
import { blockOf } from "./state.ts";
import { isThought, limitsOf, takesThoughts, type Turn } from "./thinking.ts";

/**
 * Marks the end of a prefix that the next request will repeat, so that it is read from the cache. At most four marks:
 * the tools, which sessions share; the system prompt; the last user message and the one before it, where the previous
 * request ended. The latter is needed because only 20 blocks before a mark are searched, and an answer with its results
 * may have more. Prefixes too short to be cached (512 to 4,096 tokens, by model) are ignored without an error.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
const cached = { cache_control: { type: "ephemeral" } } as const;
const markedMessages = 2;

/**
 * Encodes a request. Not carried: `contextTokens` (the server knows), reasoning without Anthropic's state, texts
 * without a visible character (the service refuses them), and a tool choice without tools.
 */
export function encodeAsk(ask: Ask, { streamed }: { streamed: boolean }): JsonObject {
  const turns = turnsOf(ask);
  return presentJson({
    model: ask.model,
    ...limitsOf(ask, turns),
    system: ask.system.trim() === "" ? undefined : [{ type: "text", text: ask.system, ...cached }],
    messages: withCacheMarks(turns),
    tools: toolsOf(ask),
    tool_choice: ask.tools.length > 0 && ask.toolChoice ? toolChoice(ask.toolChoice) : undefined,
    stop_sequences: ask.stop,
    stream: streamed ? true : undefined,
  });
}

function toolsOf(ask: Ask): JsonObject[] | undefined {
  if (ask.tools.length === 0) return undefined;
  return ask.tools.map((tool, at) => {
    const { name, description, schema } = tool;
    const strict = strictSchema(tool, ask);
    return {
      name,
      description,
      input_schema: strict ?? schema,
      ...(strict === undefined ? {} : { strict: true }),
      ...(at === ask.tools.length - 1 ? cached : {}),
    };
  });
}

function toolChoice(choice: ToolChoice): JsonObject {
  if (typeof choice === "object") return { type: "tool", name: choice.name };
  return { type: choice === "required" ? "any" : choice };
}

/** Merges neighbouring messages of one role, because roles must alternate; in each, tool results come first. */
function turnsOf(ask: Ask): Turn[] {
  const writing: BlockEncoding = { ids: safeIds(), takesThoughts: takesThoughts(ask) };
  const turns: Turn[] = [];
  for (const message of ask.messages) {
    const content = contentOf(message, writing);
    if (content.length === 0) continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content: [...content] });
  }
  return turns.map(({ role, content }) => ({ role, content: resultsFirst(content) }));
}

function resultsFirst(content: JsonObject[]): JsonObject[] {
  const results = content.filter((block) => block["type"] === "tool_result");
  return results.length === 0
    ? content
    : [...results, ...content.filter((block) => block["type"] !== "tool_result")];
}

/** Marks the ends of the last messages; thinking blocks cannot be marked, so the block before them is. */
function withCacheMarks(turns: Turn[]): JsonObject[] {
  const asked = turns.filter(({ role }, at) => role === "user" || at === turns.length - 1);
  const last = new Set(asked.slice(-markedMessages));
  return turns.map((turn) => {
    const end = last.has(turn) ? turn.content.findLast((block) => !isThought(block)) : undefined;
    const content = end
      ? turn.content.map((block) => (block === end ? { ...block, ...cached } : block))
      : turn.content;
    return { role: turn.role, content };
  });
}

type BlockEncoding = { ids: CallIdMapping; takesThoughts: boolean };

const formed = formsOf();

function contentOf(message: Message, writing: BlockEncoding): JsonObject[] {
  const { ids, takesThoughts: thinks } = writing;
  if (message.role === "user") return formed(message.content, "", () => message.content.flatMap(partBlock));
  if (message.role === "tool") return formed(message, ids(message.callId), () => [resultBlock(message, ids)]);
  return formed(message.content, `${String(thinks)} ${idsIn(message.content, ids)}`, () =>
    message.content.flatMap((part) => assistantBlock(part, writing)),
  );
}

function resultBlock(message: Extract<Message, { role: "tool" }>, ids: CallIdMapping): JsonObject {
  const said = message.content.flatMap(partBlock);
  // The service refuses an error result without text.
  const content = said.length === 0 && message.isError ? [{ type: "text", text: "(no output)" }] : said;
  return presentJson({
    type: "tool_result",
    tool_use_id: ids(message.callId),
    content: content.length === 0 ? undefined : content,
    is_error: message.isError ? true : undefined,
  });
}

function assistantBlock(part: AssistantPart, { ids, takesThoughts }: BlockEncoding): JsonObject[] {
  if (part.type === "text") return partBlock(part);
  if (part.type === "reasoning") {
    const block = takesThoughts ? blockOf(part.state) : undefined;
    return block ? [block] : [];
  }
  return [{ type: "tool_use", id: ids(part.call.id), name: part.call.name, input: part.call.input }];
}

function partBlock(part: ContentPart): JsonObject[] {
  if (part.type === "text") return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
  return [{ type: "image", source: { type: "base64", media_type: part.mediaType, data: part.data } }];
}
