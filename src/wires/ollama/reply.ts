/** Encodes model events as Ollama's answers, streamed or whole: the server half. */

import type { Json, JsonObject } from "../../base/json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import type { EndReason, ModelEvent, Usage } from "../../protocol/model-events.ts";
import { streamAnswer } from "../answer-stream.ts";
import { gather, unreadable } from "../gather.ts";
import { presentJson } from "../present.ts";
import { errorBody } from "./errors.ts";

type OllamaWriter = {
  model: string;
  started: number;
  calls: number;
  usage: Usage | undefined;
};

/**
 * Writes an answer as lines. Calls are sent whole, once complete; reasoning state cannot be carried, and a refusal is a
 * plain stop. A ModelError after the first line becomes a line with `error`; before it, it is rethrown, so that it can
 * become an HTTP reply.
 */
export function encodeEvents(events: AsyncIterable<ModelEvent>): AsyncGenerator<string> {
  const out = newOutgoing();
  return streamAnswer(events, {
    write: (event) => write(out, event).map(lineText),
    failed: (error) => lineText(errorBody(error)),
  });
}

const lineText = (line: JsonObject): string => `${JSON.stringify(line)}\n`;

/** Writes a whole answer: the order of reasoning, text and calls is lost. */
export function encodeWhole(events: readonly ModelEvent[]): JsonObject {
  const { model, parts, usage, reason } = gather(events);
  const out: OllamaWriter = { ...newOutgoing(), model, usage };
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const thoughts = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : []));
  const calls = parts.flatMap((part) => (part.type === "call" ? [callJson(part.call, out)] : []));
  const rest = presentJson({
    thinking: thoughts.length > 0 ? thoughts.join("") : undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
  });
  return { ...line(out, { content: texts.join(""), ...rest }), ...ending(out, reason) };
}

/** The reply to an empty request, which Ollama's clients send to load a model before they need it. */
export const loadReply = (model: string): JsonObject => ({
  model,
  created_at: new Date().toISOString(),
  message: { role: "assistant", content: "" },
  done_reason: "load",
  done: true,
});

const newOutgoing = (): OllamaWriter => ({ model: "", started: Date.now(), calls: 0, usage: undefined });

function write(out: OllamaWriter, event: ModelEvent): JsonObject[] {
  switch (event.type) {
    case "answer-start":
      out.model = event.model;
      return [];
    case "text-delta":
      return event.text === "" ? [] : [line(out, { content: event.text })];
    case "reasoning-delta":
      return event.text === "" ? [] : [line(out, { content: "", thinking: event.text })];
    case "call-end":
      return [line(out, { content: "", tool_calls: [callJson(event.call, out)] })];
    case "usage":
      out.usage = event.usage;
      return [];
    case "answer-end":
      return [{ ...line(out, { content: "" }), ...ending(out, event.reason) }];
    case "withheld":
      return [line(out, { content: "" })];
    case "reasoning-end":
    case "call-start":
    case "call-delta":
    case "notice":
    case "text-was-reasoning":
    case "retrying":
      return [];
    default:
      return event satisfies never;
  }
}

const line = (out: OllamaWriter, message: JsonObject): JsonObject => ({
  model: out.model,
  created_at: new Date().toISOString(),
  message: { role: "assistant", ...message },
  done: false,
});

/** Unreadable arguments are sent as their text: an object would be run. */
function callJson(call: ToolCall, out: OllamaWriter): JsonObject {
  const input: Json = call.problem === undefined ? call.input : unreadable(call);
  return {
    id: call.id,
    type: "function",
    function: { index: out.calls++, name: call.name, arguments: input },
  };
}

/** Durations are in nanoseconds; only the total is known here. */
function ending(out: OllamaWriter, reason: EndReason): JsonObject {
  const total = (Date.now() - out.started) * 1_000_000;
  return presentJson({
    done: true,
    done_reason: reason === "length" ? "length" : "stop",
    total_duration: total,
    load_duration: 0,
    prompt_eval_count: out.usage?.inputTokens,
    prompt_eval_duration: 0,
    eval_count: out.usage?.outputTokens,
    eval_duration: total,
  });
}
