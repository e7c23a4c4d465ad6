/** A request to a model as Cohere's request body. */
import type { JsonObject } from "../../base/json.ts";
import type {
  Ask,
  AssistantPart,
  Call,
  Message,
  Part,
  ToolChoice,
  ToolDescription,
} from "../../protocol/messages.ts";
import { type Ids, safeIds } from "../call-ids.ts";
import { dataUrl } from "../openai-chat/parts.ts";
import { presentJson } from "../present.ts";
import { isThought, thinkingOf } from "./thinking.ts";

/** More stop sequences, and a higher temperature, are refused. */
const mostStops = 5;
const highestTemperature = 1;

/**
 * Encodes a request. Not carried: whether a result is an error (its text says so), the order among the parts of an
 * answer with calls, thoughts of other wires in answers without, answers without words and calls, `contextTokens`,
 * and stops after the fifth. A named tool is offered alone, and required. Pictures in results follow in a user message
 * after all results of the answer.
 */
export function encodeAsk(ask: Ask, streamed: boolean): JsonObject {
  const tools = offered(ask).map(toolJson);
  return presentJson({
    model: ask.model,
    messages: messagesOf(ask),
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: tools.length > 0 ? choiceOf(ask.toolChoice) : undefined,
    max_tokens: ask.maxTokens,
    temperature: ask.temperature === undefined ? undefined : Math.min(highestTemperature, ask.temperature),
    stop_sequences: ask.stop?.slice(0, mostStops),
    thinking: thinkingOf(ask),
    stream: streamed,
  });
}

const offered = ({ tools, toolChoice }: Ask): ToolDescription[] =>
  typeof toolChoice === "object" ? tools.filter((tool) => tool.name === toolChoice.name) : tools;

const toolJson = ({ name, description, schema }: ToolDescription): JsonObject => ({
  type: "function",
  function: { name, description, parameters: schema },
});

/** There is no word for "auto": it is the default. */
function choiceOf(choice: ToolChoice | undefined): string | undefined {
  if (choice === undefined || choice === "auto") return undefined;
  return choice === "none" ? "NONE" : "REQUIRED";
}

function messagesOf({ system, messages, reasoning }: Ask): JsonObject[] {
  const out: JsonObject[] = system === "" ? [] : [{ role: "system", content: system }];
  const ids = safeIds();
  let pictures: Part[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      out.push(resultOf(message, ids));
      pictures.push(...picturesOf(message));
      continue;
    }
    if (message.role === "user") {
      out.push({ role: "user", content: contentOf([...pictures, ...message.content]) });
    } else {
      if (pictures.length > 0) out.push({ role: "user", content: pictures.map(partJson) });
      out.push(...answerOf(message.content, { thinks: reasoning !== "off", ids }));
    }
    pictures = [];
  }
  if (pictures.length > 0) out.push({ role: "user", content: pictures.map(partJson) });
  return out;
}

/** A result must say something. */
function resultOf({ callId, content }: Extract<Message, { role: "tool" }>, ids: Ids): JsonObject {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const pictured = content.some((part) => part.type === "image");
  const said = texts.join("\n");
  const nothing = pictured ? "(an image, see below)" : "(no output)";
  return { role: "tool", tool_call_id: ids(callId), content: said.trim() === "" ? nothing : said };
}

function picturesOf({ callId, name, content }: Extract<Message, { role: "tool" }>): Part[] {
  const pictures = content.filter((part) => part.type === "image");
  return pictures.length === 0
    ? []
    : [{ type: "text", text: `The result of ${name} (${callId}):` }, ...pictures];
}

function contentOf(parts: readonly Part[]): string | JsonObject[] {
  const [first] = parts;
  if (!first) return "";
  return parts.length === 1 && first.type === "text" ? first.text : parts.map(partJson);
}

const partJson = (part: Part): JsonObject =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: dataUrl(part) } };

/** `thinks`: thoughts may stand as such, for thinking is not switched off. */
function answerOf(
  parts: readonly AssistantPart[],
  { thinks, ids }: { thinks: boolean; ids: Ids },
): JsonObject[] {
  const calls = parts.flatMap((part) => (part.type === "call" ? [callJson(part.call, ids)] : []));
  if (calls.length > 0) return [{ role: "assistant", ...planOf(parts, thinks), tool_calls: calls }];
  const blocks = parts.flatMap((part) => blockOf(part, thinks));
  return blocks.some(({ type }) => type === "text") ? [{ role: "assistant", content: blocks }] : [];
}

const callJson = ({ id, name, input }: Call, ids: Ids): JsonObject => ({
  id: ids(id),
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
});

/**
 * What was thought and said before calls, in one text: "text content is not allowed when tool_calls are provided",
 * only either a thought or a plan (the API's own words, vercel/ai issue 5794).
 */
function planOf(parts: readonly AssistantPart[], thinks: boolean): JsonObject {
  const texts = parts.flatMap((part) => (part.type === "call" || part.text.trim() === "" ? [] : [part.text]));
  if (texts.length === 0) return {};
  const plan = texts.join("\n\n");
  return thinks && parts.some(isThought)
    ? { content: [{ type: "thinking", thinking: plan }] }
    : { tool_plan: plan };
}

function blockOf(part: AssistantPart, thinks: boolean): JsonObject[] {
  if (part.type === "call" || part.text.trim() === "") return [];
  if (part.type === "text") return [{ type: "text", text: part.text }];
  return thinks && isThought(part) ? [{ type: "thinking", thinking: part.text }] : [];
}
