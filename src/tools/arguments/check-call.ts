/** Checks calls of tools known only by a JSON Schema: the tool's name, argument names and types, then the schema. */

import { propertyNames, narrowSchema, ownValue, typeOf } from "../../base/json-schema.ts";
import { isDeeperThan, isObject, type Json, type JsonObject, isJsonObject } from "../../base/json.ts";
import { maxDepth } from "../../base/loose-json.ts";
import { type SchemaReader, schemaReader } from "../../base/schema-reader.ts";
import { withinTime } from "../../base/time-limit.ts";
import type { ToolCall, CallFault, Repair, ToolDescription } from "../../protocol/messages.ts";
import { resolveToolName } from "../../protocol/tool-name.ts";
import {
  shortExcerpt,
  invalidInput,
  type InputProblem,
  tooDeep,
  unknownTool,
  unreadableCall,
  placeInWords,
  type InputPath,
} from "./call-problems.ts";
import { type MendedInput, mendInput, fewOf } from "./input.ts";
import { problemBySchema } from "./schema-check.ts";

export type ToolBySchema = Pick<ToolDescription, "name" | "schema" | "aliases">;

/**
 * `fault` is a `CallFault`, or the problem the call arrived with; `problem` is the complete text for the model.
 * `unchecked`: the tool's own schema is unusable, so the arguments were not validated.
 */
export type CheckedCall =
  | { ok: true; call: ToolCall }
  | { ok: false; fault: string; problem: string; unchecked?: true };

type CheckOptions = {
  tools: readonly ToolBySchema[];
  /** Which schema defaults to fill in; `needed`: only those without which the arguments would be invalid. */
  defaults?: "all" | "needed";
};

/** Returns the call ready to run, with every correction listed in its repairs. */
export function checkCall(call: ToolCall, { tools, defaults = "all" }: CheckOptions): CheckedCall {
  const names = tools.map(({ name }) => name);
  const name = resolveToolName(call.name, names);
  const tool = tools.find((one) => one.name === name);
  if (call.problem !== undefined) {
    const fault = call.fault ?? "malformed_arguments";
    return { ok: false, fault, problem: unreadableCall(call, call.problem, tool) };
  }
  if (!tool) return refuse("unknown_tool", unknownTool(call.name, names));
  const refused = (problem: InputProblem): CallRefusal =>
    refuse("invalid_arguments", invalidInput(problem, tool.schema, call.input));
  if (isDeeperThan(maxDepth, call.input)) return refused(tooDeep);
  const checked = withinTime(mostTime, () => mendAndCheck(tool, call.input, defaults));
  if (!checked.ok) {
    const words = checked.isLate ? tooLong : whyUnchecked(checked.problem);
    const why = refused({ words, places: [] });
    return checked.problem === halfCharacter ? why : { ...why, unchecked: true };
  }
  const { mended, problem } = checked.value;
  if (problem) return refused(problem);
  if (reachesPrototype(tool.schema, mended.input)) return refused(prototypeNamed);
  return { ok: true, call: mendedCall(call, tool.name, mended) };
}

/** Programs that copy such a value naively change every object they have. Only a tool that declares the name wants it. */
function reachesPrototype(schema: JsonObject, input: JsonObject): boolean {
  const holds = (value: Json): boolean => {
    if (Array.isArray(value)) return value.some(holds);
    return (
      value !== null &&
      isObject(value) &&
      (Object.hasOwn(value, "__proto__") || Object.values(value).some(holds))
    );
  };
  return !propertyNames(schema, schema).includes("__proto__") && holds(input);
}

const prototypeNamed: InputProblem = { words: 'no argument may be named "__proto__"', places: [] };

/** Milliseconds. A schema may hold patterns that backtrack endlessly. */
const mostTime = 1000;

/** A timeout does not mean that the schema is bad: the arguments may be large, or the machine busy. */
const tooLong =
  "they could not be checked against the tool's schema in time: send less at once; if that does not help, do without this tool";

const halfCharacter = "URI malformed";

function whyUnchecked(problem: string): string {
  if (problem === halfCharacter) return "one of its names holds half a character";
  const why = /call stack/.test(problem)
    ? "it refers to itself without end"
    : problem.replace(/\s{2,}.*|\n.*/s, "");
  return `the tool's own schema cannot be used: ${shortExcerpt(why)}. That is not your mistake: do without this tool`;
}

type CallRefusal = CheckedCall & { ok: false };

const refuse = (fault: CallFault, problem: string): CallRefusal => ({ ok: false, fault, problem });

type ArgumentCheck = { mended: MendedInput; problem: InputProblem | undefined };

/** Drops the defaults if validation fails with them: they may themselves violate the schema. */
function mendAndCheck(
  { schema, aliases }: ToolBySchema,
  input: JsonObject,
  defaults: CheckOptions["defaults"],
): ArgumentCheck {
  const mended = mendInput(schema, input, aliases);
  if (defaults === "needed" && !problemBySchema(schema, mended.input)) return { mended, problem: undefined };
  const filled = withDefaults(schema, mended.input);
  const problem = problemBySchema(schema, filled.input);
  if (!problem)
    return { mended: { input: filled.input, repairs: [...mended.repairs, ...filled.repairs] }, problem };
  const without = filled.repairs.length > 0 ? problemBySchema(schema, mended.input) : problem;
  return { mended, problem: without };
}

function mendedCall(call: ToolCall, name: string, { input, repairs }: MendedInput): ToolCall {
  const renamed: Repair[] =
    name === call.name ? [] : [{ code: "tool-renamed", detail: `"${call.name}" to "${name}"` }];
  const all = [...(call.repairs ?? []), ...renamed, ...repairs];
  if (all.length === 0) return call;
  return {
    ...call,
    name,
    input,
    repairs: all,
    rawArguments: call.rawArguments ?? JSON.stringify(call.input),
  };
}

/** Fills absent members that have a default, in every object present; creates no objects for them. */
function withDefaults(schema: JsonObject, input: JsonObject): MendedInput {
  const repairs: Repair[] = [];
  const filled = fillObject(schema, input, { reader: schemaReader(schema), repairs, place: [] });
  return { input: filled, repairs: fewOf(repairs) };
}

type DefaultsContext = { reader: SchemaReader; repairs: Repair[]; place: InputPath };

function fill(schema: Json | undefined, value: Json, filling: DefaultsContext): Json {
  if (schema === undefined || filling.place.length > maxDepth) return value;
  if (Array.isArray(value)) {
    return value.map((item, at) =>
      fill(filling.reader.item(schema, at), item, { ...filling, place: [...filling.place, at] }),
    );
  }
  return value !== null && isJsonObject(value) ? fillObject(schema, value, filling) : value;
}

function fillObject(schema: Json, value: JsonObject, filling: DefaultsContext): JsonObject {
  const { reader, repairs, place } = filling;
  const chosen = narrowSchema(schema, value, reader.root);
  const entries = Object.entries(value).map(([name, inner]): [string, Json] => [
    name,
    fill(reader.property(chosen, name), inner, { ...filling, place: [...place, name] }),
  ]);
  for (const name of reader.names(chosen)) {
    if (Object.hasOwn(value, name)) continue;
    const made = defaultOf(reader.property(chosen, name), reader);
    if (made === undefined) continue;
    entries.push([name, made]);
    repairs.push({
      code: "default-filled",
      detail: `"${placeInWords([...place, name])}": ${JSON.stringify(made)}`,
    });
  }
  return Object.fromEntries(entries);
}

/** In many schemas `default: null` means "no default", whether or not null is allowed. */
function defaultOf(schema: Json | undefined, reader: SchemaReader): Json | undefined {
  const made = ownValue(schema, "default");
  if (made === undefined || made === null) return undefined;
  const types = reader.types(schema);
  return types.size === 0 || types.has(typeOf(made)) ? made : undefined;
}
