/** Decodes Gemini's request body: the server half. Field names may be in camelCase or snake_case, as in proto JSON. */

import { isObject, type JsonObject } from "../../base/json.ts";
import type {
  AnswerFormat,
  Ask,
  AssistantPart,
  Message,
  ContentPart,
  ReasoningEffort,
  ToolChoice,
  ToolDescription,
} from "../../protocol/messages.ts";
import { badField, bodyOf, listOf, requiredObject, requiredText } from "../ask-fields.ts";
import { arrayAt, asJson, copyOf, makeId, numberAt, objectAt, readArguments, stringAt } from "../fields.ts";
import { notShown } from "../not-shown.ts";
import { foreignSignature, stateOf } from "./state.ts";

export function decodeAsk(
  body: unknown,
  fromPath: { model?: string; streamed?: boolean } = {},
): { ask: Ask; streamed: boolean } {
  const request = bodyOf(body);
  if (typeof field(request, "cachedContent") === "string")
    throw badField("cachedContent", "left out: nothing is stored here, send the whole conversation");
  const model = fromPath.model ?? requiredText(request["model"], "model");
  const ask: Ask = {
    model,
    system: systemOf(request),
    messages: messagesOf(request),
    tools: toolsOf(request),
  };
  const calling = field(field(request, "toolConfig"), "functionCallingConfig");
  const toolChoice = toolChoiceOf(calling);
  if (toolChoice) ask.toolChoice = toolChoice;
  readConfig(requiredObject(field(request, "generationConfig") ?? {}, "generationConfig"), ask);
  return { ask, streamed: fromPath.streamed ?? false };
}

const snake = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The value at a camelCase key or its snake_case form. */
function field(object: unknown, key: string): unknown {
  if (!isObject(object)) return undefined;
  if (Object.hasOwn(object, key)) return object[key];
  const other = snake(key);
  return Object.hasOwn(object, other) ? object[other] : undefined;
}

const text = (object: unknown, key: string): string | undefined =>
  stringAt({ value: field(object, key) }, "value");

/** Reads a list; a single object is accepted for a list, as in Google's own examples. */
function list(object: unknown, key: string, where: string): unknown[] {
  const value = field(object, key);
  return isObject(value) ? [value] : listOf(value, where);
}

function systemOf(body: Record<string, unknown>): string {
  const system = field(body, "systemInstruction");
  if (typeof system === "string") return system;
  return list(system, "parts", "systemInstruction.parts")
    .flatMap((part) => stringAt(part, "text") ?? [])
    .join("\n");
}

function readConfig(config: unknown, ask: Ask): void {
  const maxTokens = numberAt({ value: field(config, "maxOutputTokens") }, "value");
  const temperature = numberAt(config, "temperature");
  const stop = list(config, "stopSequences", "generationConfig.stopSequences").filter(
    (word) => typeof word === "string",
  );
  const reasoning = effortOf(field(config, "thinkingConfig"));
  if (maxTokens !== undefined) ask.maxTokens = maxTokens;
  if (temperature !== undefined) ask.temperature = temperature;
  if (stop.length > 0) ask.stop = stop;
  if (reasoning) ask.reasoning = reasoning;
  const format = formatOf(config);
  if (format) ask.format = format;
  if ((numberAt({ value: field(config, "candidateCount") }, "value") ?? 1) > 1)
    throw badField("generationConfig.candidateCount", "1: there is one answer to a request here");
}

function formatOf(config: unknown): AnswerFormat | undefined {
  const plain = field(config, "responseJsonSchema");
  if (isObject(plain)) return { schema: copyOf(plain) };
  const schema = field(config, "responseSchema");
  if (isObject(schema)) return { schema: fromOpenApi(schema, 0) };
  return text(config, "responseMimeType") === "application/json" ? {} : undefined;
}

/**
 * A budget of -1 leaves the effort to the model. Clients ask models that always think for the lowest effort, hidden.
 */
function effortOf(config: unknown): ReasoningEffort | undefined {
  const unseen = field(config, "includeThoughts") === false;
  const level = text(config, "thinkingLevel")?.toLowerCase();
  if (level === "minimal" || (level === "low" && unseen)) return "off";
  if (level === "low" || level === "medium" || level === "high") return level;
  const budget = numberAt({ value: field(config, "thinkingBudget") }, "value");
  if (budget === undefined || budget < 0) return undefined;
  if (budget === 0 || (budget <= 128 && unseen)) return "off";
  if (budget <= 2048) return "low";
  return budget <= 8192 ? "medium" : "high";
}

function toolChoiceOf(config: unknown): ToolChoice | undefined {
  const mode = text(config, "mode")?.toUpperCase();
  if (mode === "AUTO" || mode === "VALIDATED") return "auto";
  if (mode === "NONE") return "none";
  if (mode === undefined || mode === "MODE_UNSPECIFIED") return undefined;
  if (mode !== "ANY") throw badField("toolConfig.functionCallingConfig.mode", "AUTO, ANY, NONE or VALIDATED");
  const names = list(config, "allowedFunctionNames", "allowedFunctionNames").filter(
    (name) => typeof name === "string",
  );
  return names.length === 1 && names[0] !== undefined ? { name: names[0] } : "required";
}

/** The service's own tools (search, code execution) cannot be run here and are left out. */
function toolsOf(body: Record<string, unknown>): ToolDescription[] {
  return list(body, "tools", "tools")
    .flatMap((tool) => list(tool, "functionDeclarations", "tools[].functionDeclarations"))
    .map((declaration, index) => {
      const name = requiredText(stringAt(declaration, "name"), `functionDeclarations[${index}].name`);
      return { name, description: stringAt(declaration, "description") ?? "", schema: schemaOf(declaration) };
    });
}

function schemaOf(declaration: unknown): JsonObject {
  const plain = field(declaration, "parametersJsonSchema");
  if (isObject(plain)) return copyOf(plain);
  const parameters = field(declaration, "parameters");
  return isObject(parameters) ? fromOpenApi(parameters, 0) : { type: "object", properties: {} };
}

/** Converts OpenAPI's schema to JSON Schema: types in lower case, `nullable` as a second type. */
function fromOpenApi(schema: Record<string, unknown>, depth: number): JsonObject {
  if (depth > 64) throw badField("parameters", "nested less deeply");
  const below = (value: unknown) => (isObject(value) ? fromOpenApi(value, depth + 1) : asJson(value));
  const entries = Object.entries(schema).flatMap(([key, value]): [string, ReturnType<typeof below>][] => {
    if (key === "nullable") return [];
    if (key === "type" && typeof value === "string") {
      const type = value.toLowerCase();
      return [[key, schema["nullable"] === true ? [type, "null"] : type]];
    }
    if (key === "properties" && isObject(value)) {
      return [[key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, below(inner)]))]];
    }
    if (key === "items") return [[key, below(value)]];
    return [[key, Array.isArray(value) && key === "anyOf" ? value.map(below) : asJson(value)]];
  });
  return Object.fromEntries(entries);
}

/** Calls without an id get one; results match the open calls of their function in order. */
type OpenCallIds = { open: { id: string; name: string }[] };

function messagesOf(body: Record<string, unknown>): Message[] {
  const ids: OpenCallIds = { open: [] };
  if (field(body, "contents") === undefined) throw badField("contents", "a list");
  return list(body, "contents", "contents").flatMap((given, index) => {
    const where = `contents[${index}]`;
    const content = requiredObject(given, where);
    const parts = list(content, "parts", `${where}.parts`);
    const role = stringAt(content, "role") ?? "user";
    if (role === "model") return [answerOf(parts, where, ids)];
    if (role === "user" || role === "function") return fromUser(parts, where, ids);
    throw badField(`${where}.role`, '"user" or "model"');
  });
}

function answerOf(parts: unknown[], where: string, ids: OpenCallIds): Message {
  const content: AssistantPart[] = [];
  let state: ReturnType<typeof stateOf> | undefined;
  for (const [index, part] of parts.entries()) {
    const signature = text(part, "thoughtSignature");
    const own = signature && signature !== foreignSignature ? stateOf(signature) : undefined;
    const read = assistantPart(part, `${where}.parts[${index}]`, ids);
    if (read?.type === "reasoning") content.push(own ? { ...read, state: own } : read);
    else if (read?.type === "call")
      content.push(own ? { ...read, call: { ...read.call, state: own } } : read);
    else {
      if (read) content.push(read);
      state = own ?? state;
    }
  }
  return state ? { role: "assistant", content, state } : { role: "assistant", content };
}

/** A part of an answer; undefined for an empty text, which can only carry a signature. */
function assistantPart(part: unknown, where: string, ids: OpenCallIds): AssistantPart | undefined {
  const said = stringAt(part, "text");
  if (said !== undefined && field(part, "thought") === true) return { type: "reasoning", text: said };
  if (said !== undefined) return said === "" ? undefined : { type: "text", text: said };
  const call = field(part, "functionCall");
  // Pictures, code and searches made by a model cannot be passed to another.
  if (!isObject(call)) return undefined;
  const name = requiredText(stringAt(call, "name"), `${where}.functionCall.name`);
  const id = stringAt(call, "id") || makeId("call");
  ids.open.push({ id, name });
  return { type: "call", call: { id, name, ...readArguments(call["args"]), source: "native" } };
}

/** Results and user text may share a content; each run of one kind becomes a separate message. */
function fromUser(parts: unknown[], where: string, ids: OpenCallIds): Message[] {
  const messages: Message[] = [];
  for (const [index, part] of parts.entries()) {
    const result = field(part, "functionResponse");
    if (isObject(result)) {
      messages.push(resultOf(result, `${where}.parts[${index}]`, ids));
      continue;
    }
    const read = userPart(part, `${where}.parts[${index}]`);
    const last = messages.at(-1);
    if (last?.role === "user") last.content.push(read);
    else messages.push({ role: "user", content: [read] });
  }
  return messages;
}

function userPart(part: unknown, where: string): ContentPart {
  const said = stringAt(part, "text");
  return said === undefined ? imageOf(part, where) : { type: "text", text: said };
}

function imageOf(part: unknown, where: string): ContentPart {
  const inline = field(part, "inlineData");
  const mediaType = text(inline, "mimeType");
  const data = stringAt(inline, "data");
  if (mediaType?.startsWith("image/") && data !== undefined) return { type: "image", mediaType, data };
  if (mediaType !== undefined && data !== undefined) return notShown("file", mediaType);
  const file = field(part, "fileData");
  if (isObject(file)) return notShown("file", text(file, "mimeType"), text(file, "fileUri"));
  throw badField(where, "text, inlineData with an image, or a functionResponse");
}

function resultOf(result: Record<string, unknown>, where: string, ids: OpenCallIds): Message {
  const name = stringAt(result, "name") ?? "";
  const given = stringAt(result, "id");
  const at = ids.open.findIndex((call) => (given ? call.id === given : call.name === name));
  const [call] = at < 0 ? [] : ids.open.splice(at, 1);
  const { said, isError } = responseOf(objectAt(result, "response") ?? {});
  const images = (arrayAt(result, "parts") ?? []).map((part, index) =>
    imageOf(part, `${where}.parts[${index}]`),
  );
  const content: ContentPart[] = said === "" ? images : [{ type: "text", text: said }, ...images];
  return {
    role: "tool",
    callId: call?.id ?? given ?? makeId("call"),
    name: name || (call?.name ?? ""),
    content,
    isError,
  };
}

/**
 * According to the documents, "output" holds the function's output and "error" its failure; otherwise everything is
 * output.
 */
function responseOf(response: Record<string, unknown>): { said: string; isError: boolean } {
  const isError = "error" in response && !("output" in response);
  const value = response["output"] ?? response["error"] ?? response["result"];
  const told = value ?? (Object.keys(response).length === 0 ? "" : response);
  return { said: typeof told === "string" ? told : JSON.stringify(told), isError };
}
