/** Encodes model events as Cohere's answers, streamed or whole: the server half. */

import type { JsonObject } from "../../base/json.ts";
import type { AssistantPart, ToolCall } from "../../protocol/messages.ts";
import type { EndReason, ModelError, ModelEvent, Usage } from "../../protocol/model-events.ts";
import { streamAnswer } from "../answer-stream.ts";
import { makeId } from "../fields.ts";
import { writeSse } from "../framing.ts";
import { gather } from "../gather.ts";
import { argumentsText, restOfArguments } from "../openai-chat/arguments.ts";
import { presentJson } from "../present.ts";

/** An unfinished call. `index` is set once its start is sent, `whole` once it is complete. */
type OutgoingCall = {
  id: string;
  name: string;
  index: number | undefined;
  held: string[];
  sent: string;
  whole: ToolCall | undefined;
};

type CohereWriter = {
  content: "text" | "thinking" | undefined;
  blocks: number;
  /** Only the first is sent: clients append every piece of arguments to the call that began last. */
  calls: OutgoingCall[];
  begun: number;
  usage: Usage | undefined;
};

/**
 * Writes an answer as server-sent events. The format has no field for the model, which is added to the first event, and
 * none for a refusal, which is a plain end. A ModelError after the first event becomes the last event; before it, it is
 * rethrown, so that it can become an HTTP reply.
 */
export function encodeEvents(events: AsyncIterable<ModelEvent>): AsyncGenerator<string> {
  const out: CohereWriter = { content: undefined, blocks: 0, calls: [], begun: 0, usage: undefined };
  return streamAnswer(events, { write: (event) => write(out, event), failed: failureFrame });
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

function write(out: CohereWriter, event: ModelEvent): string[] {
  switch (event.type) {
    case "answer-start":
      return [start(event.model)];
    case "text-delta":
      return content(out, "text", event.text);
    case "reasoning-delta":
      return content(out, "thinking", event.text);
    case "reasoning-end":
      return out.content === "thinking" ? endContent(out) : [];
    case "call-start":
      callOf(out, event.id, event.name);
      return flush(out);
    case "call-delta":
      callOf(out, event.id, "").held.push(event.json);
      return flush(out);
    case "call-end":
      callOf(out, event.call.id, event.call.name).whole = event.call;
      return flush(out);
    case "usage":
      out.usage = event.usage;
      return [];
    case "answer-end":
      return end(out, event.reason);
    case "withheld":
      return [": working\n\n"];
    case "notice":
    case "text-was-reasoning":
    case "retrying":
      return [];
    default:
      return event satisfies never;
  }
}

function start(model: string): string {
  const message = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
  return frame("message-start", { id: makeId("chat"), model, delta: { message } });
}

function content(out: CohereWriter, kind: "text" | "thinking", text: string): string[] {
  if (text === "") return [];
  const before = out.content === kind ? [] : startContent(out, kind);
  return [...before, inMessage("content-delta", out.blocks - 1, { content: { [kind]: text } })];
}

function startContent(out: CohereWriter, kind: "text" | "thinking"): string[] {
  const before = endContent(out);
  out.content = kind;
  const opened = inMessage("content-start", out.blocks, { content: { type: kind, [kind]: "" } });
  out.blocks++;
  return [...before, opened];
}

function endContent(out: CohereWriter): string[] {
  if (out.content === undefined) return [];
  out.content = undefined;
  return [frame("content-end", { index: out.blocks - 1 })];
}

function callOf(out: CohereWriter, id: string, name: string): OutgoingCall {
  const known = out.calls.find((call) => call.id === id);
  if (known) return known;
  const call: OutgoingCall = { id, name, index: undefined, held: [], sent: "", whole: undefined };
  out.calls.push(call);
  return call;
}

/** The frames that can be sent now: the first call's pieces, and the next call once it is complete. */
function flush(out: CohereWriter): string[] {
  const frames: string[] = [];
  for (let call = out.calls[0]; call; call = out.calls[0]) {
    if (call.index === undefined) {
      call.index = out.begun++;
      frames.push(
        ...endContent(out),
        inMessage("tool-call-start", call.index, { tool_calls: callJson(call, "") }),
      );
    }
    for (const piece of call.held.splice(0)) frames.push(...argumentsFrame(call, piece));
    if (!call.whole) break;
    frames.push(...argumentsFrame(call, restOfArguments(call.whole, call.sent)));
    frames.push(frame("tool-call-end", { index: call.index }));
    out.calls.shift();
  }
  return frames;
}

const callJson = ({ id, name }: { id: string; name: string }, json: string): JsonObject => ({
  id,
  type: "function",
  function: { name, arguments: json },
});

function argumentsFrame(call: OutgoingCall, json: string): string[] {
  if (json === "") return [];
  call.sent += json;
  return [inMessage("tool-call-delta", call.index ?? 0, { tool_calls: { function: { arguments: json } } })];
}

function end(out: CohereWriter, reason: EndReason): string[] {
  const [unfinished] = out.calls;
  // A call that never ended must not be read as one without arguments, or as a complete one.
  const broken = unfinished
    ? argumentsFrame(unfinished, unfinished.sent === "" ? '{"' : " /* cut off */")
    : [];
  const delta = ending(reason, out.begun > 0, out.usage);
  return [...broken, ...endContent(out), frame("message-end", { delta }), done];
}

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
