/**
 * Answers that must be JSON, from any model: instructs the model in its prompt and strips a code fence around the JSON.
 */

import { isObject, type JsonObject, parseJson } from "../base/json.ts";
import type { AnswerFormat } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import type { Prompt } from "../providers/provider.ts";
import { checkCall } from "../tools/arguments/check-call.ts";

/** Adds the instruction to the prompt. */
export function withFormat(prompt: Prompt, { schema }: AnswerFormat): Prompt {
  const which = schema === undefined ? "one JSON object" : "one JSON value that fits the JSON Schema below";
  const calls = prompt.tools.length > 0 ? "When you call no tool, answer" : "Answer";
  const words = `${calls} with ${which} and nothing else: no words before or after it, no code fence.`;
  const below = schema === undefined ? [] : [JSON.stringify(schema)];
  return { ...prompt, system: [prompt.system, words, ...below].filter((text) => text !== "").join("\n\n") };
}

/**
 * Passes the events through and notes an answer that is not JSON or does not fit the schema: the model was only
 * instructed, and an answer already being sent cannot be withdrawn.
 */
export async function* checkedFormat(
  events: AsyncIterable<ModelEvent>,
  format: AnswerFormat,
  noted: Set<string>,
): AsyncGenerator<ModelEvent> {
  const said: string[] = [];
  let hasCalls = false;
  for await (const event of events) {
    if (event.type === "text-delta") said.push(event.text);
    hasCalls ||= event.type === "call-end";
    if (event.type === "answer-end" && !hasCalls) {
      const fault = faultIn(said.join(""), format);
      if (fault !== undefined) noted.add(fault);
    }
    yield event;
  }
}

function faultIn(text: string, { schema }: AnswerFormat): string | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok) return "answer-not-json";
  const { value } = parsed;
  if (!schema) return isObject(value) ? undefined : "answer-off-schema";
  if (schema["type"] !== "object") return undefined;
  return isObject(value) && fits(value, schema) ? undefined : "answer-off-schema";
}

/** Validates as for a call's arguments; an unusable schema accepts everything. */
function fits(value: JsonObject, schema: JsonObject): boolean {
  const name = "answer";
  const call = { id: name, name, input: value, source: "native" };
  const checked = checkCall(call, { tools: [{ name, schema }], defaults: "needed" });
  return checked.ok ? checked.call.repairs === undefined : checked.unchecked === true;
}

/** Undecided text: the beginning, which may open a fence, or an end, which may close it. */
type FenceState = { held: string; state: "unknown" | "open" | "none" };

/** Removes a code fence around the text of the events. */
export async function* withoutFence(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  const fence: FenceState = { held: "", state: "unknown" };
  for await (const event of events) {
    if (event.type === "text-delta") {
      const text = take(fence, event.text);
      if (text !== "") yield { type: "text-delta", text };
      continue;
    }
    if (event.type === "answer-end") {
      const text = restOf(fence);
      if (text !== "") yield { type: "text-delta", text };
    }
    yield event;
  }
}

function take(fence: FenceState, text: string): string {
  if (fence.state === "none") return text;
  fence.held += text;
  if (fence.state === "unknown") {
    const begun = fence.held.trimStart();
    if ("```".startsWith(begun) || /^```[^\n]*$/.test(begun)) return "";
    fence.state = begun.startsWith("```") ? "open" : "none";
    if (fence.state === "none") return restOf(fence);
    fence.held = begun.slice(begun.indexOf("\n") + 1);
  }
  const closing = /\s*(?:`{1,3}\s*)?$/.exec(fence.held)?.[0] ?? "";
  const said = fence.held.slice(0, fence.held.length - closing.length);
  fence.held = closing;
  return said;
}

/** The text held back, unless it closes the fence. */
function restOf(fence: FenceState): string {
  const { held, state } = fence;
  fence.held = "";
  return state === "open" && ["", "```"].includes(held.trim()) ? "" : held;
}
