/** Calls whose name is outside their arguments, such as `[TOOL_CALLS]name[ARGS]{…}`. */

import { isJsonObject, parseJson, type Json, type JsonObject } from "../../base/json.ts";
import { addedClosers, guessedEnd, maxDepth, readLoose } from "../../base/loose-json.ts";
import { argumentKeys, nameKeys } from "../../protocol/call-keys.ts";
import type { Repair } from "../../protocol/messages.ts";
import type { ReadCall } from "../dialect.ts";
import { blank, inOrder, mark, takeStep } from "../reading/ahead.ts";
import type { BlockReader, StreamReading } from "../reading/reader.ts";
import { jsonExtent } from "../reading/scan.ts";
import { isParallel } from "./call-words.ts";
import { readJsonBlock, type JsonBlock, type JsonBlockBody } from "./json-block.ts";
import { asArguments, cutOff, decodeBlock, readJsonCalls, unreadable } from "./json-calls.ts";
import { misses, sayRest } from "./tagged-json.ts";
import { parametersOf } from "./tool-schema.ts";

type NamedCall = Pick<JsonBlock, "closers" | "openers" | "endings" | "begins"> & {
  readonly name: string;
  readonly id?: string | undefined;
};

/** Reads the arguments of a call after its name, and emits it. */
export function* readNamedCall(
  reader: BlockReader,
  { name, id, ...block }: NamedCall,
): StreamReading<JsonBlockBody["how"]> {
  const isWrapper = isParallel(name) && reader.offered.find(name) === undefined;
  if (!isWrapper) reader.show(name, id);
  const found = yield* readJsonBlock(reader, {
    ...block,
    hidden: isWrapper,
    argumentsOf: name,
    isWhole: (body, inString) => isWhole(readArguments(body, { closed: true }), inString),
  });
  const marks = [...block.closers, ...(block.openers ?? []), ...(block.endings ?? [])];
  const { call, rest } = callOf(reader, found, { name, marks });
  const calls = isWrapper && call.problem === undefined ? wrapperCalls(call) : [call];
  for (const one of calls) reader.tell(id === undefined ? one : { id, ...one });
  if (rest !== undefined) sayRest(reader, rest);
  if (found.how === "balanced" && /^\s*```/.test(found.body))
    yield* takeStep(reader, inOrder(blank, mark("```")));
  return found.how;
}

/** The calls that a wrapper holds. */
const wrapperCalls = ({ name, input }: ReadCall): ReadCall[] =>
  readJsonCalls(JSON.stringify({ name, arguments: input }), { closed: true }).calls;

const isWhole = (read: NamedCallArguments, inString: boolean): boolean =>
  read.ok && !(inString && has(read.repairs, guessedEnd));

const has = (repairs: readonly Repair[], wanted: string): boolean =>
  repairs.some(({ code }) => code === wanted);

type NamedBlock = { name: string; marks: readonly string[] };

/** `rest`: the text after the call, if its end was not marked. */
function callOf(
  reader: BlockReader,
  { body, how }: JsonBlockBody,
  { name, marks }: NamedBlock,
): { call: ReadCall; rest?: string } {
  const raw = reader.raw();
  const closed = how === "closer" || how === "balanced";
  if (how === "end" && reader.isCut) return { call: { ...cutOff(raw), name } };
  const read = readArguments(body, { closed });
  if (!read.ok)
    return { call: { ...(read.isCut ? cutOff(raw) : unreadable(raw, problemOf(read.problem))), name } };
  // If the end of a string is a guess, half of another call may be inside it.
  if (
    has(read.repairs, guessedEnd) &&
    (has(read.repairs, addedClosers) || marks.some((mark) => body.includes(mark)))
  )
    return { call: { ...cutOff(raw), name } };
  const inner = nestedArguments(reader, name, read.input);
  const isTrailing = closed && /[^\s`<>)}\]]/.test(read.rest);
  const repairs = [...read.repairs, ...(inner ? [wrapped] : []), ...(isTrailing ? [trailing] : [])];
  const call: ReadCall = { name, input: inner ?? read.input };
  const told = repairs.length === 0 ? call : { ...call, rawArguments: raw, repairs };
  if (how === "end" && misses(told, reader)) return { call: { ...cutOff(raw), name } };
  return closed ? { call: told } : { call: told, rest: read.rest };
}

const problemOf = (problem: string): string =>
  `The arguments of the call are not a valid JSON object: ${problem}. Send it again with one JSON object.`;
const wrapped: Repair = { code: "wrapped", detail: "The arguments were wrapped in another call." };
const trailing: Repair = { code: "trailing-text", detail: "Text after the arguments was dropped." };

type NamedCallArguments =
  | { ok: true; input: JsonObject; repairs: Repair[]; rest: string }
  | { ok: false; isCut: boolean; problem: string };

/** Parses a body as the arguments of one call. `closed`: whether its end is certain. */
function readArguments(body: string, { closed }: { closed: boolean }): NamedCallArguments {
  const text = decodeBlock(body);
  const start = /^(?:\s|```\w*|json\b)*/.exec(text)?.[0].length ?? 0;
  if (start === text.length)
    return closed ? { ok: true, input: {}, repairs: [], rest: "" } : { ok: false, isCut: true, problem: "" };
  const read = readValue(text, start, closed);
  if (!read.ok) return read;
  const found = asArguments(read.value);
  if (!found) return { ok: false, isCut: false, problem: "they are something else" };
  return {
    ok: true,
    input: found.input,
    repairs: [...read.repairs, ...found.notes],
    rest: text.slice(read.end),
  };
}

type ValueOutcome =
  | { ok: true; value: Json; end: number; repairs: Repair[] }
  | { ok: false; isCut: boolean; problem: string };

function readValue(text: string, start: number, closed: boolean): ValueOutcome {
  const extent = jsonExtent(text, start);
  const strict = extent && extent.depth <= maxDepth ? parseJson(text.slice(start, extent.end)) : undefined;
  if (extent && strict?.ok) return { ok: true, value: strict.value, end: extent.end, repairs: [] };
  const loose = readLoose(text, { start, closed });
  if (loose.ok) return loose;
  const doubled = /^\{\s*(\{[^]*\})\s*\}\s*$/.exec(text.slice(start))?.[1];
  if (doubled === undefined) return { ok: false, isCut: loose.cut, problem: loose.problem };
  const inner = parseJson(doubled);
  if (!inner.ok) return { ok: false, isCut: false, problem: loose.problem };
  const note: Repair = { code: "brackets", detail: "Doubled brackets around the arguments were dropped." };
  return { ok: true, value: inner.value, end: text.length, repairs: [note] };
}

/** The name is repeated, with the arguments nested inside: only for a tool that has no such parameters itself. */
function nestedArguments(reader: BlockReader, name: string, input: JsonObject): JsonObject | undefined {
  const tool = parametersOf(reader.offered, name);
  const keys = Object.keys(input);
  if (!tool.isKnown || keys.length !== 2 || keys.some((key) => tool.declared(key) !== undefined))
    return undefined;
  if (!nameKeys.some((key) => input[key] === name)) return undefined;
  const inner = argumentKeys.map((key) => input[key]).find((value) => value !== undefined);
  return inner !== undefined && isJsonObject(inner) ? inner : undefined;
}
