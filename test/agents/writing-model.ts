/** A model without native tools that does one edit with whatever tools it was taught, and writes its calls badly. */

import { isJsonObject, parseJson, type Json, type JsonObject } from "../../src/base/json.ts";
import type { Message } from "../../src/protocol/messages.ts";
import { ModelError } from "../../src/protocol/model-events.ts";
import type { Prompt } from "../../src/providers/provider.ts";
import { scriptedModel, type ScriptedModel } from "../../src/providers/scripted-model.ts";

/** The file's only line is `from`, and must become `to`; `beside` is another file to read. */
export type Edit = { path: string; beside: string; from: string; to: string };

export const lastWords = "The fruit is changed.";

/**
 * It thinks aloud, looks at both files at once, changes one, and says so; what it does next follows from the
 * conversation alone, since agents ask for titles and other things in between. The first of its calls is not JSON; the
 * call that changes something leaves out what must be there, until it is told.
 */
export const writingModel = (edit: Edit): ScriptedModel =>
  scriptedModel(
    (prompt) => {
      if (prompt.tools.length > 0) throw new ModelError("bad-request", "This model does not support tools.");
      const tools = taughtTools(prompt.system);
      const answer = tools.length === 0 ? "Fruit in a file" : next(prompt, tools, edit);
      return [
        { say: `<think>\nOne step after the other.\n</think>\n\n${answer}` },
        { usage: { inputTokens: 1200, outputTokens: 34 } },
      ];
    },
    { pieces: 7 },
  );

function next(prompt: Prompt, tools: readonly Tool[], edit: Edit): string {
  const { done, wasTold } = heardOf(prompt.messages);
  if (done === 0) {
    const looks = [edit.path, edit.beside].flatMap((path) => lookAt(tools, path) ?? []);
    return `I look at it first.\n${looks.map(write).join("\n").replace("}}\n", ",}}\n")}`;
  }
  const step = done === 1 ? changeOf(tools, edit) : undefined;
  if (!step) return lastWords;
  const { [step.needs]: _, ...rest } = step.input;
  return write(wasTold ? step : { ...step, input: rest });
}

/** How many answers' calls went well, and whether those of the last one did not. */
function heardOf(messages: readonly Message[]): { done: number; wasTold: boolean } {
  const heard = messages.flatMap((message) => {
    if (message.role !== "user") return [];
    const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const mark = /<tool_response name="[^"]*"( error="true")?>/u.exec(text);
    return mark ? [{ isGood: mark[1] === undefined }] : [];
  });
  return { done: heard.filter(({ isGood }) => isGood).length, wasTold: heard.at(-1)?.isGood === false };
}

const write = ({ tool, input }: Step): string =>
  `<tool_call>\n${JSON.stringify({ name: tool, arguments: input })}\n</tool_call>`;

type Tool = { name: string; properties: JsonObject; required: string[] };

/** The tools of the lesson in the system prompt, one a line; none where nothing is taught. */
function taughtTools(system: string): Tool[] {
  const lines = system.slice(system.lastIndexOf("<tools>\n")).split("\n");
  return lines.flatMap((line): Tool[] => {
    const read = parseJson(line);
    const tool = read.ok && isJsonObject(read.value) ? read.value : {};
    const { properties, required } = objectIn(tool["parameters"]);
    if (typeof tool["name"] !== "string") return [];
    return [
      {
        name: tool["name"],
        properties: objectIn(properties),
        required: Array.isArray(required) ? required.filter((key) => typeof key === "string") : [],
      },
    ];
  });
}

const objectIn = (value: Json | undefined): JsonObject =>
  value !== undefined && isJsonObject(value) ? value : {};

/** `needs`: an argument that the call is worth nothing without. */
type Step = { tool: string; input: JsonObject; needs: string };
type Value = readonly [names: RegExp, value: string];

const path = /^(?:absolute_?)?(?:file_?)?path$|^file_?name$/iu;
const command = /^(?:command|cmd)$/iu;

const shell = (line: string): Value => [command, line];

/** With a tool for files where there is one, else with a shell. */
const lookAt = (tools: readonly Tool[], file: string): Step | undefined =>
  useOf(tools, /^(?!.*image).*(?:read|view)/iu, [[path, file]]) ??
  useOf(tools, /./u, [shell(`cat '${file}'`)]);

function changeOf(tools: readonly Tool[], edit: Edit): Step | undefined {
  const { path: file, from, to } = edit;
  const there: Value = [path, file];
  const replacing: Value[] = [
    there,
    [/^old_?(?:string|str|text)?$/iu, from],
    [/^new_?(?:string|str|text)?$/iu, to],
  ];
  return (
    useOf(tools, /./u, replacing) ??
    useOf(tools, /patch/iu, [[/^(?:input|patch)$/iu, patchOf(edit)]]) ??
    useOf(tools, /write|create/iu, [there, [/content|text/iu, `${to}\n`]]) ??
    useOf(tools, /./u, [shell(`echo ${to} > '${file}'`)])
  );
}

const patchOf = ({ path: file, from, to }: Edit): string =>
  ["*** Begin Patch", `*** Update File: ${file}`, "@@", `-${from}`, `+${to}`, "*** End Patch", ""].join("\n");

/** The first tool with a fitting name that takes all of these values; what else it asks for gets something. */
function useOf(tools: readonly Tool[], called: RegExp, values: readonly Value[]): Step | undefined {
  for (const { name, properties, required } of tools) {
    if (!called.test(name)) continue;
    const entries = values.flatMap(([names, value]) => {
      const key = Object.keys(properties).find((property) => names.test(property));
      return key === undefined ? [] : [[key, value] as const];
    });
    const needs = entries.at(-1)?.[0];
    if (entries.length < values.length || needs === undefined) continue;
    const fillers = required.map((key) => [key, filler(properties[key] ?? null)] as const);
    return { tool: name, input: { ...Object.fromEntries(fillers), ...Object.fromEntries(entries) }, needs };
  }
  return undefined;
}

/** Something of the type that is asked for. */
function filler(schema: Json): Json {
  const { type, enum: choices } = objectIn(schema);
  if (Array.isArray(choices)) return choices[0] ?? null;
  if (type === "boolean") return false;
  if (type === "number" || type === "integer") return 1;
  return type === "array" ? [] : "Change the fruit";
}
