/** Parses JSON that describes calls, in every form and damage that models produce (A19–A22). */

import { jsonExtent } from "../../base/json-brackets.ts";
import { isJsonObject, parseJson, type Json, type JsonObject } from "../../base/json.ts";
import { addedClosers, guessedEnd, maxDepth, readLoose } from "../../base/loose-json.ts";
import { asArguments, decodeBlock } from "../../protocol/call-arguments.ts";
import { argumentKeys, nameKeys, weakNameKeys } from "../../protocol/call-keys.ts";
import type { CallFault, Repair } from "../../protocol/messages.ts";
import { namelessCall } from "../../protocol/unreadable.ts";
import type { ReadCall } from "../reading/reader.ts";
import { wrapperKeys } from "./call-words.ts";

export type JsonShape = {
  /** Calls have ids of their own. */
  readonly ids?: boolean;
  /** `{"play": {…}}`: the key is the tool's name. */
  readonly nameIsKey?: boolean;
};

/** `end`: where the last call ended; what follows belongs to no call. */
type JsonCalls = { calls: ReadCall[]; end: number };

/** `closed`: whether the block is known to be complete. */
type CallsPlace = { closed: boolean; shape?: JsonShape };

/** Reads every JSON object of a block, and of lists in it, as a call (several objects are several calls). */
export function readJsonCalls(body: string, { closed, shape = {} }: CallsPlace): JsonCalls {
  const text = decodeBlock(body);
  const calls: ReadCall[] = [];
  let end = 0;
  for (let at = nextValue(text, 0); at !== undefined; at = nextValue(text, end)) {
    const read = readValue(text, at, { closed, shape });
    calls.push(...read.calls);
    end = read.end;
  }
  if (calls.length === 0) return { calls: [], end: 0 };
  const last = calls.at(-1);
  if (last && !closed) noteOn(last, { code: "closing-tag", detail: "The closing tag was missing." }, text);
  else if (last && /[^\s`<>}\])]/.test(text.slice(end)))
    noteOn(last, { code: "trailing-text", detail: "Text after the call was dropped." }, text);
  return { calls, end: text === body ? end : body.length };
}

/** The next bracket that opens a value. Only separators and fences may precede it; prose ends the search. */
function nextValue(text: string, from: number): number | undefined {
  const gap = /(?:[\s,;}\]]|<tool_call>|```\w*)*/y;
  gap.lastIndex = from;
  gap.test(text);
  const mark = text[gap.lastIndex];
  return mark === "{" || mark === "[" ? gap.lastIndex : undefined;
}

type JsonReading = { closed: boolean; shape: JsonShape };

function readValue(text: string, at: number, { closed, shape }: JsonReading): JsonCalls {
  const extent = jsonExtent(text, at);
  const exact = text.slice(at, extent?.end ?? at);
  const strict = extent && extent.depth <= maxDepth ? parseJson(exact) : undefined;
  if (strict?.ok)
    return { calls: callsIn(strict.value, { shape, repairs: [], raw: exact }), end: at + exact.length };
  const loose = readLoose(text, { start: at, closed });
  if (!loose.ok) {
    const raw = text.slice(at);
    const problem = `The call is not valid JSON: ${loose.problem}. Send it again as one JSON object.`;
    return { calls: [loose.cut && !closed ? cutOff(raw) : unreadable(raw, problem)], end: text.length };
  }
  const raw = text.slice(at, loose.end);
  const has = (wanted: string): boolean => loose.repairs.some(({ code }) => code === wanted);
  const unfinished = !closed && has(addedClosers);
  // A string's end was guessed next to a marker or missing brackets: the string may contain half of another call.
  if (has(guessedEnd) && (unfinished || raw.includes("tool_call>")))
    return { calls: [cutOff(raw)], end: text.length };
  // Cut off before the arguments: running without them would be a different call.
  if (unfinished && !hasArguments(loose.value)) return { calls: [cutOff(raw)], end: text.length };
  return { calls: callsIn(loose.value, { shape, repairs: loose.repairs, raw }), end: loose.end };
}

function hasArguments(value: Json): boolean {
  if (Array.isArray(value)) return value.every(hasArguments);
  if (!isJsonObject(value)) return false;
  return argumentKeys.some((key) => asArguments(value[key])) || hasArguments(value["function"] ?? null);
}

type JsonCallContext = { shape: JsonShape; repairs: readonly Repair[]; raw: string };

function callsIn(value: Json, found: JsonCallContext): ReadCall[] {
  if (Array.isArray(value))
    return value.flatMap((item) => callsIn(item, { ...found, raw: JSON.stringify(item) }));
  if (!isJsonObject(value)) return [unreadable(found.raw, "The call is not a JSON object with a name.")];
  const inner = wrapperContent(value);
  if (inner !== undefined) return callsIn(inner, found);
  const parts = found.shape.nameIsKey === true ? oneByOne(value) : undefined;
  if (parts) return parts.flatMap((part) => callsIn(part, found));
  const call =
    (found.shape.nameIsKey === true ? namedByKey(value) : undefined) ?? callByName(value, found.shape);
  if (!call) return [unreadable(found.raw, 'The call has no name. Write {"name": "…", "arguments": {…}}.')];
  if (formalKeys.some((key) => Object.hasOwn(call.input, key) && value[key] === call.input[key]))
    return [{ ...unreadable(found.raw, noObject), name: call.name }];
  const repairs = [...found.repairs, ...(call.repairs ?? [])];
  return [repairs.length === 0 ? call : { ...call, rawArguments: found.raw, repairs }];
}

/** Keys that only hold the arguments: what stands there is never an argument of that name. */
const formalKeys: readonly string[] = ["arguments", "parameters"];
const noObject =
  "The arguments of the call are no JSON object. Send it again with one: the names of its parameters and their values.";

/** Calls inside another object: `{"tool_calls": […]}`, `{"type": "function", "function": {…}}`. */
function wrapperContent(value: JsonObject): Json | undefined {
  if (nameIn(value) !== undefined) return undefined;
  for (const key of wrapperKeys) {
    const inner = value[key];
    if (inner !== undefined && typeof inner === "object" && inner !== null) return inner;
  }
  return undefined;
}

/** The first key that holds a name. */
function nameIn(value: JsonObject): { key: string; text: string } | undefined {
  for (const key of nameKeys) {
    const text = value[key];
    const isWeak = weakNameKeys.includes(key) && !argumentKeys.some((one) => Object.hasOwn(value, one));
    if (typeof text === "string" && text !== "" && !isWeak) return { key, text };
  }
  return undefined;
}

/** Calls sharing one object, each under its name. */
function oneByOne(value: JsonObject): JsonObject[] | undefined {
  const entries = Object.entries(value);
  if (entries.length < 2 || !entries.every(([, input]) => isJsonObject(input))) return undefined;
  return entries.map(([name, input]) => ({ [name]: input }));
}

/** `{"play": {"track": "…"}}`: the only key is the name. */
function namedByKey(value: JsonObject): ReadCall | undefined {
  const [entry, ...others] = Object.entries(value);
  if (!entry || others.length > 0) return undefined;
  const found = asArguments(entry[1]);
  return (
    found && {
      name: entry[0],
      input: found.input,
      ...(found.notes.length > 0 ? { repairs: found.notes } : {}),
    }
  );
}

function callByName(value: JsonObject, shape: JsonShape): ReadCall | undefined {
  const name = nameIn(value);
  if (!name) return undefined;
  const { input, notes } = argumentsOf(value, name.key);
  const written = shape.ids === true ? (value["id"] ?? value["tool_call_id"]) : undefined;
  const id = typeof written === "number" ? String(written) : written;
  return {
    ...(typeof id === "string" && /^[\w:.-]{1,64}$/.test(id) ? { id } : {}),
    name: name.text,
    input,
    ...(notes.length > 0 ? { repairs: notes } : {}),
  };
}

/** The arguments object (A20), or all other keys if there is none. */
function argumentsOf(value: JsonObject, nameKey: string): { input: JsonObject; notes: Repair[] } {
  const rest = Object.entries(value).filter(([key]) => key !== nameKey && !notArguments.has(key));
  for (const key of argumentKeys) {
    if (!Object.hasOwn(value, key)) continue;
    const found = asArguments(value[key]);
    if (!found) continue;
    const others = rest.map(([other]) => other).filter((other) => other !== key);
    const detail = `Keys beside the arguments were ignored: ${others.join(", ")}.`;
    return {
      input: found.input,
      notes: [...found.notes, ...(others.length > 0 ? [{ code: "ignored-keys", detail, guess: true }] : [])],
    };
  }
  const flat = Object.entries(value).filter(
    ([key]) => key !== nameKey && !(key === "type" && value[key] === "function"),
  );
  const notes = flat.length > 0 ? [{ code: "flat", detail: "The arguments stood beside the name." }] : [];
  return { input: Object.fromEntries(flat), notes };
}

const notArguments = new Set(["type", "id", "tool_call_id"]);

/** A call that was cut off before its end. */
export const cutOff = (raw: string): ReadCall =>
  unreadable(
    raw,
    "truncated: the call was cut off before its end, so it was not run. Send it again; if it is long, in smaller parts.",
    "truncated",
  );

/** A call that cannot run; its name is recovered, so that the model knows which call is meant. */
export function unreadable(raw: string, problem: string, fault: CallFault = "malformed_arguments"): ReadCall {
  const name =
    /["'“](?:name|tool|function|tool_name)["'”]\s*:\s*["'“]([\p{L}\p{M}\p{N}_.:-]{1,80})["'”]/u.exec(
      raw.slice(0, 500),
    )?.[1];
  return { name: name ?? namelessCall, input: {}, rawArguments: raw, problem, fault };
}

export function noteOn(call: ReadCall, repair: Repair, raw: string): void {
  call.repairs = [...(call.repairs ?? []), repair];
  call.rawArguments ??= raw.trim();
}
