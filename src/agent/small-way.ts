/** How small models are asked: fewer and shorter words in, one call out, a demand where they only talk. */

import { isJsonObject, type JsonObject } from "../base/json.ts";
import { textOf, typedIn, type Message, type ToolDescription } from "../protocol/messages.ts";
import { currentTurn, type SessionState } from "../protocol/session-state.ts";
import type { Prompt } from "../providers/provider.ts";
import type { Tool } from "../tools/tool.ts";
import { unwritten } from "./answer/completion.ts";

/** The system prompt in the place of the usual one. */
export const smallSystemPrompt =
  "You are a coding agent. Use the tools to read and change files. One call at a time. When the task is done, say so in one sentence.";

/** What a small model is told of: the basic tools, those of a mode, and those that others define and a person added. */
export function smallTools(tools: readonly Tool[]): readonly Tool[] {
  if (tools.every(({ basic }) => basic === undefined)) return tools;
  return tools.filter((tool) => (tool.basic ?? tool.modes ?? tool.definition) !== undefined);
}

/** The same prompt for a small model. */
export function smallPrompt(prompt: Prompt, tools: readonly Tool[], state: SessionState): Prompt {
  const { messages } = prompt;
  const basics = new Map(tools.map(({ name, basic }) => [name, basic]));
  return {
    ...prompt,
    tools: prompt.tools.map((tool) => basicForm(tool, basics.get(tool.name))),
    messages: withReminder(messages.map(briefResult), state),
    oneCall: true,
    temperature: temperatures[Math.min(failedInARow(messages), temperatures.length - 1)] ?? 0,
    // It said something where it should have done something, and was told so.
    ...(hasOnlyTalked(messages, state) ? { toolChoice: "required" } : {}),
  };
}

/** The first try is the likeliest answer; after each failure the next one differs more. */
const temperatures = [0.2, 0.6, 0.9];

/** The first sentence, and the basic arguments: all of them have to be given. */
function basicForm(tool: ToolDescription, basic: readonly string[] | undefined): ToolDescription {
  if (basic === undefined) return tool;
  const { schema } = tool;
  const [description = ""] = tool.description.split(/(?<=\.)\s/u);
  const declared = schema["properties"];
  const all = declared !== undefined && isJsonObject(declared) ? declared : {};
  const properties: JsonObject = Object.fromEntries(basic.map((name) => [name, all[name] ?? {}]));
  return { ...tool, description, schema: { ...schema, properties, required: [...basic] } };
}

/** Characters. */
const mostResult = 1_500;
const mostRequest = 500;

function briefResult(message: Message): Message {
  if (message.role !== "tool") return message;
  const words = textOf(message.content);
  if (words.length <= mostResult) return message;
  const pictures = message.content.filter(({ type }) => type === "image");
  const shown = `${words.slice(0, mostResult).toWellFormed()}\n[The rest is left out.]`;
  return { ...message, content: [{ type: "text", text: shown }, ...pictures] };
}

/** The request once more, behind the results. */
function withReminder(messages: Message[], { messages: all, said }: SessionState): Message[] {
  const request = all.findLast((message) => message.role === "user" && said.includes(message.content));
  if (request?.role !== "user" || messages.at(-1)?.role !== "tool") return messages;
  const words = typedIn(request.content, "\n").slice(0, mostRequest).toWellFormed();
  const text = `The task was: ${words}\nIf it is done, say so. If not, make the next call.`;
  return [...messages, { role: "user", content: [{ type: "text", text }] }];
}

function failedInARow(messages: readonly Message[]): number {
  const results = messages.filter((message) => message.role === "tool").toReversed();
  const good = results.findIndex(({ isError }) => !isError);
  return good < 0 ? results.length : good;
}

const hasOnlyTalked = (messages: readonly Message[], state: SessionState): boolean =>
  messages.at(-1)?.role === "user" && currentTurn(state)?.nudges.has(unwritten) === true;
