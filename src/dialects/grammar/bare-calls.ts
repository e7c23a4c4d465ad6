/**
 * Parses unmarked JSON as calls. Only its shape tells it from an answer, a definition or a configuration, so it counts
 * only if everything in it is a call of an offered tool.
 */

import { jsonExtent } from "../../base/json-brackets.ts";
import { propertyNames, requiredNames } from "../../base/json-schema.ts";
import { isJsonObject, parseJson, type Json, type JsonObject } from "../../base/json.ts";
import { addedClosers, guessedEnd, maxDepth, readLoose } from "../../base/loose-json.ts";
import { asArguments } from "../../protocol/call-arguments.ts";
import { argumentKeys, nameKeys, weakNameKeys } from "../../protocol/call-keys.ts";
import type { Repair } from "../../protocol/messages.ts";
import type { WholeAnswer } from "../dialect.ts";
import type { ReadCall, OfferedTools } from "../reading/reader.ts";
import { cutCall } from "./bare-begin.ts";
import { callTypes, isParallel, wrapperKeys } from "./call-words.ts";
import { noteOn } from "./json-calls.ts";
import type { PositionalTool } from "./positional.ts";
import { withoutSchemas } from "./schema-echo.ts";
import { isComplete } from "./tool-schema.ts";
type AnswerEnding = Pick<WholeAnswer, "isCut" | "isKnown">;
type BareCallContext = {
  readonly offered: OfferedTools;
  readonly repairs: readonly Repair[];
  readonly raw: string;
};

/** The calls of a text that consists only of calls; objects may be in lists and wrappers, or in sequence. */
export function readBareCalls(
  text: string,
  offered: OfferedTools,
  ending: AnswerEnding,
): ReadCall[] | undefined {
  const calls: ReadCall[] = [];
  let at = gapEnd(text, 0);
  while (at < text.length) {
    const read = /[[{]/.test(text.charAt(at)) ? readValue({ text, at, offered, ending }) : undefined;
    if (!read) return undefined;
    calls.push(...read.calls);
    at = gapEnd(text, read.end);
    const last = calls.at(-1);
    if (last && /[\]}]/.test(text.slice(read.end, at))) noteOn(last, extraBrackets, text);
  }
  return calls.length > 0 ? calls : undefined;
}

const extraBrackets: Repair = { code: "brackets", detail: "Closing brackets too many were dropped." };

/** Separators allowed between calls; a surplus closing bracket is forgiven. */
function gapEnd(text: string, from: number): number {
  const gap = from === 0 ? /[\s\uFEFF]*/y : /[\s;,\]}]*/y;
  gap.lastIndex = from;
  gap.test(text);
  return gap.lastIndex;
}

type ValuePosition = { text: string; at: number; offered: OfferedTools; ending: AnswerEnding };

function readValue({
  text,
  at,
  offered,
  ending,
}: ValuePosition): { calls: ReadCall[]; end: number } | undefined {
  const extent = jsonExtent(text, at);
  const raw = text.slice(at, extent?.end ?? at);
  const strict = extent && extent.depth <= maxDepth ? parseJson(raw) : undefined;
  if (extent && strict?.ok) {
    const calls = callsIn(strict.value, { offered, repairs: [], raw });
    return calls && { calls, end: extent.end };
  }
  const loose = readLoose(text, { start: at, closed: false });
  const cut = cutCall(text.slice(at), offered);
  if (!loose.ok) return loose.cut && cut ? { calls: [cut], end: text.length } : undefined;
  const has = (wanted: string): boolean => loose.repairs.some(({ code }) => code === wanted);
  if (has(guessedEnd) && !ending.isKnown)
    return cut && { calls: [{ ...cut, problem: unclear, fault: "malformed_arguments" }], end: loose.end };
  const found: BareCallContext = { offered, repairs: loose.repairs, raw: text.slice(at, loose.end) };
  const calls = callsIn(loose.value, found);
  // If brackets are missing, more may have followed, unless all required arguments are present.
  const mayGoOn = ending.isCut || has(guessedEnd) || !calls?.every((call) => isComplete(call, offered));
  if (has(addedClosers) && mayGoOn) return cut && { calls: [cut], end: text.length };
  return calls && { calls, end: loose.end };
}

const unclear =
  'Quotation marks inside a string were not escaped, so it is not clear where it ends. Nothing was run. Send the call again with \\" inside strings.';

/** Undefined if any part is not a call. */
function callsIn(value: Json, found: BareCallContext): ReadCall[] | undefined {
  if (Array.isArray(value)) {
    const all = value.map((item) => callsIn(item, found));
    return all.length > 0 && all.every((calls) => calls !== undefined) ? all.flat() : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const inner = unwrapCalls(value);
  if (inner === undefined) {
    const call = callOf(value, found);
    return call && [call];
  }
  const calls = callsIn(inner, found);
  const id = idOf(value);
  return id !== undefined && calls?.length === 1 ? calls.map((call) => ({ id, ...call })) : calls;
}

/** Calls inside an object without other content: an API answer, `{"type": "function", …}`, a wrapper. */
function unwrapCalls(value: JsonObject): Json | undefined {
  const key = wrapperKeys.find((one) => typeof value[one] === "object" && value[one] !== null);
  if (key !== undefined) return besides(value, [key]).every(isMeta) ? value[key] : undefined;
  const nameKey = nameKeys.find((one) => isParallel(value[one]));
  const argumentKey = argumentKeys.find((one) => Object.hasOwn(value, one));
  const found = argumentKey === undefined ? undefined : asArguments(value[argumentKey]);
  if (nameKey === undefined || argumentKey === undefined || !found) return undefined;
  if (!besides(value, [nameKey, argumentKey]).every(isMeta)) return undefined;
  return besides(found.input, ["tool_uses"]).length === 0 ? found.input["tool_uses"] : undefined;
}

/** Meaningless members that may accompany a call. */
function isMeta([key, value]: [string, Json]): boolean {
  if (/^(?:id|call_id|tool_call_id|index)$/.test(key)) return typeof value !== "object" || value === null;
  if (key === "type") return typeof value === "string" && callTypes.test(value);
  if (key === "role") return value === "assistant";
  return /^(?:content|refusal)$/.test(key) && (value === null || value === "");
}

const besides = (value: JsonObject, keys: readonly string[]): [string, Json][] =>
  Object.entries(value).filter(([key]) => !keys.includes(key));

function idOf(value: JsonObject): string | undefined {
  const id = ["id", "call_id", "tool_call_id"]
    .map((key) => value[key])
    .find((one) => typeof one === "string");
  return typeof id === "string" && /^[\w:.-]{1,64}$/.test(id) ? id : undefined;
}

function callOf(value: JsonObject, { offered, repairs, raw }: BareCallContext): ReadCall | undefined {
  for (const nameKey of nameKeys) {
    const name = value[nameKey];
    const tool = typeof name === "string" ? offered.find(name) : undefined;
    if (!tool || typeof name !== "string") continue;
    const read = argumentsOf(value, nameKey, tool);
    if (!read) continue;
    const id = idOf(value);
    const notes = [...repairs, ...read.notes];
    return {
      ...(id === undefined || read.isFlat ? {} : { id }),
      name,
      input: read.input,
      ...(notes.length === 0 ? {} : { repairs: notes, rawArguments: raw }),
    };
  }
  return undefined;
}

type BareArguments = { input: JsonObject; notes: readonly Repair[]; isFlat?: true };

/** N8: an arguments object of its own with nothing beside it; or every key is declared, and one of them is required. */
function argumentsOf(value: JsonObject, nameKey: string, tool: PositionalTool): BareArguments | undefined {
  for (const key of argumentKeys) {
    const found = Object.hasOwn(value, key) ? asArguments(value[key]) : undefined;
    if (!found || !besides(value, [nameKey, key]).every(isMeta)) continue;
    const plain = withoutSchemas(found.input, tool.schema);
    return plain && { input: plain.input, notes: [...found.notes, ...plain.notes] };
  }
  if (weakNameKeys.includes(nameKey)) return undefined;
  const names = propertyNames(tool.schema, tool.schema);
  const flat = besides(value, [nameKey]).filter(
    ([key, one]) => names.includes(key) || key !== "type" || one !== "function",
  );
  const isDeclared = flat.every(([key]) => names.includes(key));
  const required = requiredNames(tool.schema, tool.schema);
  if (!isDeclared || !flat.some(([key]) => required.includes(key))) return undefined;
  const notes = [{ code: "flat", detail: "The arguments stood beside the name." }];
  return { input: Object.fromEntries(flat), notes, isFlat: true };
}
