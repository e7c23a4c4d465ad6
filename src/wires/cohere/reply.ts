/** Encodes model events as Cohere's answers, streamed or whole: the server half. */

import type { JsonObject } from "../../base/json.ts";
import type { AssistantPart } from "../../protocol/messages.ts";
import type { EndReason, ModelError, ModelEvent, Usage } from "../../protocol/model-events.ts";
import { AnswerBlocks, type OutgoingBlock } from "../answer-blocks.ts";
import { streamAnswer } from "../answer-stream.ts";
import { makeId } from "../fields.ts";
import { writeSse } from "../framing.ts";
import { gather } from "../gather.ts";
import { argumentsText } from "../openai-chat/arguments.ts";
import { presentJson } from "../present.ts";

/**
 * Writes an answer as server-sent events. The format has no field for the model, which is added to the first event, and
 * none for a refusal, which is a plain end. A ModelError after the first event becomes the last event; before it, it is
 * rethrown, so that it can become an HTTP reply.
 */
export function encodeEvents(events: AsyncIterable<ModelEvent>): AsyncGenerator<string> {
  const blocks = new AnswerBlocks({ begin, piece, end: endBlock, carries: () => undefined });
  return streamAnswer(events, { write: (event) => write(blocks, event), failed: failureFrame });
}

function failureFrame({ kind, inFull }: ModelError): string {
  const finish_reason = kind === "timeout" ? "TIMEOUT" : "ERROR";
  return frame("message-end", { delta: { error: inFull, finish_reason } }) + done;
}

/** Writes a whole answer: the order between calls and other parts is lost. */
export function encodeWhole(events: readonly ModelEvent[]): JsonObject {
  const { model, parts, usage, reason } = gather(events);
  const calls = parts.flatMap((part) => (part.type === "call" ? [part.call] : []));
  const content = parts.flatMap(block);
  const message = presentJson({
    role: "assistant",
    content: content.length > 0 ? content : undefined,
    tool_calls: calls.length > 0 ? calls.map((call) => callJson(call, argumentsText(call))) : undefined,
  });
  return { id: makeId("chat"), model, message, ...ending(reason, calls.length > 0, usage) };
}

function block(part: AssistantPart): JsonObject[] {
  if (part.type === "call" || part.text === "") return [];
  return part.type === "text"
    ? [{ type: "text", text: part.text }]
    : [{ type: "thinking", thinking: part.text }];
}

const done = writeSse("[DONE]");

const frame = (type: string, fields: JsonObject): string =>
  writeSse(JSON.stringify({ type, ...fields }), type);

const inMessage = (type: string, index: number, message: JsonObject): string =>
  frame(type, { index, delta: { message } });

function write(blocks: AnswerBlocks, event: ModelEvent): string[] {
  if (event.type === "answer-start") return [start(event.model)];
  if (event.type === "withheld") return [": working\n\n"];
  if (event.type !== "answer-end") return blocks.write(event);
  const last = blocks.end();
  const delta = ending(event.reason, blocks.called, blocks.usage);
  return [...last, frame("message-end", { delta }), done];
}

function start(model: string): string {
  const message = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
  return frame("message-start", { id: makeId("chat"), model, delta: { message } });
}

const fieldOf = { text: "text", reasoning: "thinking" } as const;

function begin(block: OutgoingBlock): string {
  const { kind, place } = block;
  if (kind === "call") return inMessage("tool-call-start", place, { tool_calls: callJson(block, "") });
  const field = fieldOf[kind];
  return inMessage("content-start", place, { content: { type: field, [field]: "" } });
}

const piece = ({ kind, place }: OutgoingBlock, text: string): string =>
  kind === "call"
    ? inMessage("tool-call-delta", place, { tool_calls: { function: { arguments: text } } })
    : inMessage("content-delta", place, { content: { [fieldOf[kind]]: text } });

const endBlock = ({ kind, place }: OutgoingBlock): string =>
  frame(kind === "call" ? "tool-call-end" : "content-end", { index: place });

const callJson = ({ id, name }: { id: string; name: string }, json: string): JsonObject => ({
  id,
  type: "function",
  function: { name, arguments: json },
});

const ending = (reason: EndReason, called: boolean, usage: Usage | undefined): JsonObject =>
  presentJson({ finish_reason: finishReason(reason, called), usage: usage && usageJson(usage) });

function finishReason(reason: EndReason, called: boolean): string {
  if (reason === "length") return "MAX_TOKENS";
  return called ? "TOOL_CALL" : "COMPLETE";
}

/** The billed tokens are unknown here; the used ones take their place. */
function usageJson({ inputTokens, outputTokens, cacheReadTokens }: Usage): JsonObject {
  const tokens = { input_tokens: inputTokens, output_tokens: outputTokens };
  return presentJson({ billed_units: tokens, tokens, cached_tokens: cacheReadTokens });
}
