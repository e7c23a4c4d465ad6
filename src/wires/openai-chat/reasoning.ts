/**
 * Reasoning in Chat Completions: its fields, the state that must go back, and the wire's name for that state. OpenAI's
 * own API has none of this; DeepSeek, OpenRouter, vLLM, llama-server and others do.
 */

import { isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Opaque } from "../../protocol/messages.ts";
import type { AnswerReader } from "../answer-reader.ts";
import { arrayAt, asJson, numberAt, stringAt } from "../fields.ts";

export const chatName = "openai-chat";

/**
 * DeepSeek, vLLM, llama-server and LM Studio; OpenRouter and Ollama; some proxies. The first non-empty field is used.
 */
const fields = ["reasoning_content", "reasoning", "reasoning_text"] as const;
type ReasoningField = (typeof fields)[number];

/** A block of reasoning while it is received. */
type ReasoningBlock = { open: boolean; field: ReasoningField | undefined; details: ReasoningDetail[] };

/** One entry of `reasoning_details`; `pieces` holds its text so far if it is streamed. */
type ReasoningDetail = { entry: JsonObject; key: string | undefined; pieces: string[] };

/** Takes the thoughts. */
type Thinking = Pick<AnswerReader, "think">;

export const noReasoning = (): ReasoningBlock => ({ open: false, field: undefined, details: [] });

/** Reads the reasoning of one delta or message. */
export function takeReasoning(block: ReasoningBlock, delta: unknown, answer: Thinking): void {
  if (!isObject(delta) || !mayReason(delta)) return;
  const field = fields.find((name) => (stringAt(delta, name) ?? "") !== "");
  const details = arrayAt(delta, "reasoning_details") ?? [];
  if (!field && details.length === 0) return;
  block.open = true;
  block.field ??= field;
  for (const detail of details) addDetail(block.details, detail);
  const text = field ? stringAt(delta, field) : details.map(textOfDetail).join("");
  answer.think(text ?? "");
}

/** Reads Mistral's thoughts, which stand among the parts of the content. */
export function takeThoughts(block: ReasoningBlock, content: unknown, answer: Thinking): void {
  if (!Array.isArray(content)) return;
  const thoughts = content.flatMap((part) => (stringAt(part, "type") === "thinking" ? [part] : []));
  const text = thoughts
    .flatMap((part) => arrayAt(part, "thinking") ?? [{ text: stringAt(part, "thinking") }])
    .map((piece) => stringAt(piece, "text") ?? "")
    .join("");
  if (text === "") return;
  block.open = true;
  answer.think(text);
}

/** A cheap check first, because most deltas have no reasoning. */
const mayReason = (delta: Record<string, unknown>): boolean =>
  Boolean(
    delta["reasoning_content"] || delta["reasoning"] || delta["reasoning_text"] || delta["reasoning_details"],
  );

/** Ends the block: something else has begun, or the answer has ended. */
export function endReasoning(block: ReasoningBlock, answer: AnswerReader): void {
  if (!block.open) return;
  answer.endThought(stateOf(block));
  Object.assign(block, noReasoning());
}

/**
 * The fields that go back with an assistant message: always the details, as OpenRouter requires; the text only with
 * calls, in its original field. DeepSeek refuses (400) a history whose calls have lost their reasoning_content, and
 * ignores it elsewhere (api-docs.deepseek.com/guides/thinking_mode). Reasoning of other wires is not sent.
 */
export function reasoningForHistory(
  parts: readonly { text: string; state?: Opaque }[],
  withCalls: boolean,
): JsonObject {
  const out: JsonObject = {};
  const details: Json[] = [];
  for (const { text, state } of parts) {
    if (state?.from !== chatName) continue;
    const field = fields.find((name) => name === stringAt(state.value, "field"));
    const before = field ? (out[field] ?? "") : "";
    if (field && withCalls && typeof before === "string") out[field] = before + text;
    details.push(...(arrayAt(state.value, "details") ?? []).map((detail) => asJson(detail)));
  }
  return details.length === 0 ? out : { ...out, reasoning_details: details };
}

/** The details of a block, for the server half to send. */
export function detailsOf(state: Opaque | undefined): Json[] {
  return state?.from === chatName
    ? (arrayAt(state.value, "details") ?? []).map((detail) => asJson(detail))
    : [];
}

/** Reads the reasoning of an assistant message in a request, with the state needed to send it back. */
export function reasoningPart(
  message: unknown,
): { type: "reasoning"; text: string; state: Opaque } | undefined {
  const block = noReasoning();
  let text = "";
  takeReasoning(block, message, { think: (thought) => void (text = thought) });
  return block.open ? { type: "reasoning", text, state: stateOf(block) } : undefined;
}

function stateOf({ field, details }: ReasoningBlock): Opaque {
  const value: JsonObject = {};
  if (field) value["field"] = field;
  if (details.length > 0) value["details"] = details.map(wholeDetail);
  return { from: chatName, value };
}

/** A streamed text or summary comes in many entries with one label, which are merged; other entries stay unchanged. */
function addDetail(details: ReasoningDetail[], value: unknown): void {
  const entry = asJson(value);
  if (!isJsonEntry(entry)) return;
  const key = pieceKey(entry);
  const last = details.at(-1);
  const label = key && `${key} ${numberAt(entry, "index") ?? ""}`;
  if (!key || !last || last.key !== label) {
    details.push({ entry, key: label, pieces: key ? [stringAt(entry, key) ?? ""] : [] });
    return;
  }
  last.pieces.push(stringAt(entry, key) ?? "");
  const said = Object.entries(entry).filter(([, part]) => part !== null);
  last.entry = { ...last.entry, ...Object.fromEntries(said) };
}

const isJsonEntry = (value: Json): value is JsonObject => isObject(value);

function pieceKey(entry: JsonObject): "text" | "summary" | undefined {
  if (entry["type"] === "reasoning.text") return "text";
  return entry["type"] === "reasoning.summary" ? "summary" : undefined;
}

function wholeDetail({ entry, pieces }: ReasoningDetail): JsonObject {
  const key = pieceKey(entry);
  return key && typeof entry[key] === "string" ? { ...entry, [key]: pieces.join("") } : entry;
}

function textOfDetail(detail: unknown): string {
  return stringAt(detail, "text") ?? stringAt(detail, "summary") ?? "";
}
