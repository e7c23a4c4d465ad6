/**
 * Answers that must be JSON, from any model: instructs the model in its prompt and strips a code fence around the JSON.
 */

import { isObject, type JsonObject, parseJson } from "../base/json.ts";
import { addedClosers } from "../base/loose-json.ts";
import { readCallArguments } from "../protocol/call-arguments.ts";
import type { AnswerFormat, Repair } from "../protocol/messages.ts";
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
 * Notes an answer that is not JSON or does not fit the schema: the model may only have been instructed. An answer that
 * is sent whole is mended if only one reading is possible; one that is streamed has left already.
 */
export async function* checkedFormat(
  events: AsyncIterable<ModelEvent>,
  { format, noted, streamed }: { format: AnswerFormat; noted: Set<string>; streamed: boolean },
): AsyncGenerator<ModelEvent> {
  const said: string[] = [];
  let hasCalls = false;
  for await (const event of events) {
    hasCalls ||= event.type === "call-end";
    if (event.type === "text-delta") {
      said.push(event.text);
      if (streamed) yield event;
      continue;
    }
    if (event.type === "answer-end") {
      const text = said.join("");
      const { fault, mended = text } = hasCalls
        ? {}
        : check(text, format, streamed || event.reason !== "stop");
      if (fault !== undefined) noted.add(fault);
      if (!streamed && mended !== "") yield { type: "text-delta", text: mended };
    }
    yield event;
  }
}

function check(text: string, format: AnswerFormat, isFinal: boolean): { fault?: string; mended?: string } {
  const fault = faultIn(text, format);
  if (fault === undefined) return {};
  const mended = isFinal ? undefined : mendedJson(text, format);
  return mended === undefined ? { fault } : { fault: "answer-mended", mended };
}

function faultIn(text: string, { schema }: AnswerFormat): string | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok) return "answer-not-json";
  const { value } = parsed;
  if (!schema) return isObject(value) ? undefined : "answer-off-schema";
  if (schema["type"] !== "object") return undefined;
  const checked = isObject(value) ? checkedObject(value, schema) : undefined;
  return checked?.isAsWritten === true ? undefined : "answer-off-schema";
}

/** One object and nothing else, read and converted as the arguments of a call are, without any guess. */
function mendedJson(text: string, { schema = {} }: AnswerFormat): string | undefined {
  if (!/^\s*[[{]/.test(text) || (schema["type"] ?? "object") !== "object") return undefined;
  const read = readCallArguments(text, { closed: true });
  if (!read.ok || read.rest.trim() !== "") return undefined;
  const checked = checkedObject(read.input, schema);
  const isGuess = [...read.repairs, ...(checked?.repairs ?? [])].some(({ guess }) => guess === true);
  const isCut = read.repairs.some(({ code }) => code === addedClosers);
  return checked && !isGuess && !isCut ? JSON.stringify(checked.value) : undefined;
}

type CheckedObject = { value: JsonObject; repairs: readonly Repair[]; isAsWritten: boolean };

/** Validates as for a call's arguments; an unusable schema accepts everything. */
function checkedObject(value: JsonObject, schema: JsonObject): CheckedObject | undefined {
  const name = "answer";
  const call = { id: name, name, input: value, source: "native" };
  const checked = checkCall(call, { tools: [{ name, schema }], defaults: "needed" });
  if (!checked.ok) return checked.unchecked === true ? { value, repairs: [], isAsWritten: true } : undefined;
  const { input, repairs } = checked.call;
  return { value: input, repairs: repairs ?? [], isAsWritten: repairs === undefined };
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
