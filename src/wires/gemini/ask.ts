/** Encodes a model request for Gemini's generateContent: contents of two roles, made of parts. */

import type { JsonObject } from "../../base/json.ts";
import { formsOf } from "../../base/kept-json.ts";
import type {
  Ask,
  AssistantPart,
  ImagePart,
  Message,
  ContentPart,
  ReasoningEffort,
  ToolChoice,
} from "../../protocol/messages.ts";
import { idsIn } from "../call-ids.ts";
import { foreignSignature, generationOf, signatureOf } from "./state.ts";

export function encodeAsk(ask: Ask): JsonObject {
  const body: JsonObject = { contents: contentsOf(ask) };
  if (ask.system !== "") body["systemInstruction"] = { parts: [{ text: ask.system }] };
  if (ask.tools.length > 0) {
    // `parametersJsonSchema` takes any JSON Schema; `parameters` only a part of OpenAPI's.
    const functionDeclarations = ask.tools.map(({ name, description, schema }) => ({
      name,
      description,
      parametersJsonSchema: schema,
    }));
    body["tools"] = [{ functionDeclarations }];
    // The service refuses a function configuration without functions.
    const isHeld = ask.constraint?.type === "strict" && (ask.toolChoice ?? "auto") === "auto";
    if (isHeld) body["toolConfig"] = { functionCallingConfig: { mode: "VALIDATED" } };
    else if (ask.toolChoice) body["toolConfig"] = { functionCallingConfig: callingConfig(ask.toolChoice) };
  }
  const config = generationConfig(ask);
  if (Object.keys(config).length > 0) body["generationConfig"] = config;
  return body;
}

function callingConfig(choice: ToolChoice): JsonObject {
  if (typeof choice === "object") return { mode: "ANY", allowedFunctionNames: [choice.name] };
  return { mode: { auto: "AUTO", none: "NONE", required: "ANY" }[choice] };
}

function generationConfig(ask: Ask): JsonObject {
  const config: JsonObject = {};
  if (ask.maxTokens !== undefined) config["maxOutputTokens"] = ask.maxTokens;
  if (ask.temperature !== undefined) config["temperature"] = ask.temperature;
  if (ask.stop) config["stopSequences"] = ask.stop;
  if (ask.constraint?.type === "schema") {
    config["responseMimeType"] = "application/json";
    config["responseJsonSchema"] = ask.constraint.schema;
  }
  const thinking = ask.reasoning && thinkingConfig(ask.model, ask.reasoning);
  if (thinking) config["thinkingConfig"] = thinking;
  return config;
}

/** Budgets as in Google's own OpenAI compatibility (ai.google.dev/gemini-api/docs/openai). */
const budgets: Record<ReasoningEffort, number> = { off: 0, low: 1024, medium: 8192, high: 24_576 };

/** Levels for the third generation and later, budgets for 2.5; "pro" models cannot stop thinking. */
function thinkingConfig(model: string, effort: ReasoningEffort): JsonObject | undefined {
  const includeThoughts = effort !== "off";
  const isPro = /\bpro\b/i.test(model);
  if (/(^|\/)gemini-(1|2\.0)/i.test(model)) return undefined;
  if (generationOf(model) === 2) {
    return { includeThoughts, thinkingBudget: isPro ? Math.max(128, budgets[effort]) : budgets[effort] };
  }
  const lowest = isPro ? "LOW" : "MINIMAL";
  return { includeThoughts, thinkingLevel: effort === "off" ? lowest : effort.toUpperCase() };
}

type GeminiContent = { role: "user" | "model"; parts: JsonObject[] };

/** Neighbours of one role become one content, because all results of an answer must be in one. */
function contentsOf(ask: Ask): GeminiContent[] {
  const contents: GeminiContent[] = [];
  const context = pairsOf(ask);
  for (const message of ask.messages) {
    const next = contentOf(message, context);
    const last = contents.at(-1);
    if (next.parts.length === 0) continue;
    if (last?.role === next.role) last.parts.push(...next.parts);
    else contents.push({ ...next, parts: [...next.parts] });
  }
  return contents;
}

/** The ids of calls and of results: the service refuses either without the other. */
type Pairs = { called: Set<string>; answered: Set<string>; model: string };

function pairsOf({ messages, model }: Ask): Pairs {
  const parts = messages.flatMap((message) => (message.role === "assistant" ? message.content : []));
  return {
    called: new Set(parts.flatMap((part) => (part.type === "call" ? [part.call.id] : []))),
    answered: new Set(messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []))),
    model,
  };
}

const formed = formsOf();

function contentOf(message: Message, pairs: Pairs): GeminiContent {
  return { role: message.role === "assistant" ? "model" : "user", parts: partsOf(message, pairs) };
}

function partsOf(message: Message, pairs: Pairs): JsonObject[] {
  const { model, called, answered } = pairs;
  const { content } = message;
  switch (message.role) {
    case "user":
      return formed(content, "", () => message.content.flatMap(partOf));
    case "assistant": {
      const kept = message.content.filter((part) => part.type !== "call" || answered.has(part.call.id));
      return formed(message, `${model} ${idsIn(kept, (id) => id)}`, () =>
        answerParts(message, { kept, model }),
      );
    }
    case "tool":
      return called.has(message.callId) ? formed(message, model, () => resultParts(message, model)) : [];
    default:
      return message satisfies never;
  }
}

function partOf(part: ContentPart): JsonObject[] {
  if (part.type === "image") return [inline(part)];
  return part.text === "" ? [] : [{ text: part.text }];
}

const inline = (image: ImagePart): JsonObject => ({
  inlineData: { mimeType: image.mediaType, data: image.data },
});

type AssistantMessage = Extract<Message, { role: "assistant" }>;

/** `kept`: the parts without unanswered calls. */
function answerParts(
  { state }: AssistantMessage,
  { kept, model }: { kept: readonly AssistantPart[]; model: string },
): JsonObject[] {
  const firstCall = kept.find((part) => part.type === "call");
  const needsSignature = (generationOf(model) ?? 0) >= 3;
  const parts = kept.flatMap((part) =>
    answerPart(part, part === firstCall && needsSignature ? foreignSignature : undefined),
  );
  const signature = signatureOf(state);
  if (signature === undefined) return parts;
  const lastText = parts.findLast((part) => "text" in part && !("thought" in part));
  if (lastText) lastText["thoughtSignature"] = signature;
  else parts.push({ text: "", thoughtSignature: signature });
  return parts;
}

/** Only the first call of an answer has a signature; for another model's call the stand-in is used. */
function answerPart(part: AssistantPart, standIn: string | undefined): JsonObject[] {
  if (part.type === "text") return partOf(part);
  if (part.type === "reasoning") {
    const signature = signatureOf(part.state);
    if (part.text === "" && signature === undefined) return [];
    return [withSignature({ text: part.text, thought: true }, signature)];
  }
  const { id, name, input, state } = part.call;
  return [withSignature({ functionCall: { id, name, args: input } }, signatureOf(state) ?? standIn)];
}

const withSignature = (part: JsonObject, signature: string | undefined): JsonObject =>
  signature === undefined ? part : { ...part, thoughtSignature: signature };

/** Pictures go inside a result since Gemini 3; older models accept them only beside it. */
function resultParts(message: Extract<Message, { role: "tool" }>, model: string): JsonObject[] {
  const texts = message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const images = message.content.flatMap((part) => (part.type === "image" ? [inline(part)] : []));
  const text = texts.join("\n");
  const response: JsonObject = message.isError ? { error: text } : { output: text };
  const functionResponse: JsonObject = { id: message.callId, name: message.name, response };
  if ((generationOf(model) ?? 3) < 3) return [{ functionResponse }, ...images];
  if (images.length > 0) functionResponse["parts"] = images;
  return [{ functionResponse }];
}
