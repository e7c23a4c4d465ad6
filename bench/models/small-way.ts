/** A way of working for small models, to be measured: fewer and shorter words in, one call out, another try otherwise. */

import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import { joinTexts, type Message, type Prompt, type ToolDescription } from "../../src/protocol/messages.ts";
import type { Model } from "../../src/providers/provider.ts";
import { wrapModel } from "../../src/providers/wrapped-model.ts";

export const inSmallWay = (model: Model): Model =>
  wrapModel(model, { ask: (prompt, ...how) => model.ask(smallPrompt(prompt), ...how) });

const fewTools = ["read_file", "edit_file", "write_file", "list_files", "run_command"];

const fewWords = `You are a coding agent. Use the tools to read and change the files of the project. One call at a time. When the task is done, say so in one sentence.`;

function smallPrompt(prompt: Prompt): Prompt {
  const { messages, tools } = prompt;
  return {
    ...prompt,
    system: fewWords,
    tools: tools.filter(({ name }) => fewTools.includes(name)).map(shortened),
    messages: reminded(messages.map(briefResult)),
    oneCall: true,
    ...(isToldAgain(messages) ? { toolChoice: "required" as const } : {}),
    temperature: temperatures[Math.min(failedInARow(messages), temperatures.length - 1)] ?? 0,
  };
}

/** The model said something where it should have done something, and was told so. */
const isToldAgain = (messages: readonly Message[]): boolean =>
  messages.at(-1)?.role === "user" && messages.at(-2)?.role === "assistant";

/** The first try is the likeliest answer; after each failure the next one differs more. */
const temperatures = [0.2, 0.6, 0.9];

/** Only the first sentence, and only what must be given; a tool that would then take nothing keeps all that it has. */
function shortened(tool: ToolDescription): ToolDescription {
  const { schema, description } = tool;
  const [sentence = description] = description.split(/(?<=\.)\s/u);
  const { properties: declared } = schema;
  const all = declared !== undefined && isJsonObject(declared) ? declared : {};
  const wanted = tool.name === "edit_file" ? ["path", "old", "new"] : schema["required"];
  const required = Array.isArray(wanted) ? wanted.filter((one) => typeof one === "string") : [];
  if (required.length === 0) return { ...tool, description: sentence };
  const properties: JsonObject = Object.fromEntries(required.map((name) => [name, all[name] ?? {}]));
  return { ...tool, description: sentence, schema: { ...schema, properties, required } };
}

const mostResult = 1_500;

function briefResult(message: Message): Message {
  if (message.role !== "tool") return message;
  const text = joinTexts(message.content, "\n");
  if (text.length <= mostResult) return message;
  return {
    ...message,
    content: [{ type: "text", text: `${text.slice(0, mostResult).toWellFormed()}\n[The rest is left out.]` }],
  };
}

/** The request once more, behind the results. */
function reminded(messages: readonly Message[]): Message[] {
  const goal = messages.findLast(({ role }) => role === "user");
  if (goal?.role !== "user" || messages.at(-1)?.role !== "tool") return [...messages];
  const text = `The task was: ${joinTexts(goal.content, "\n")}\nIf it is done, say so. If not, make the next call.`;
  return [...messages, { role: "user", content: [{ type: "text", text }] }];
}

function failedInARow(messages: readonly Message[]): number {
  const results = messages.filter((message) => message.role === "tool").toReversed();
  const good = results.findIndex(({ isError }) => !isError);
  return good < 0 ? results.length : good;
}
