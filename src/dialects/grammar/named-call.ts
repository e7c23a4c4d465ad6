/** Calls whose name is outside their arguments, such as `[TOOL_CALLS]name[ARGS]{…}`. */

import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { addedClosers, guessedEnd } from "../../base/loose-json.ts";
import { readCallArguments, type CallArguments } from "../../protocol/call-arguments.ts";
import { argumentKeys, nameKeys } from "../../protocol/call-keys.ts";
import type { Repair } from "../../protocol/messages.ts";
import { blank, inOrder, mark, takeStep } from "../reading/ahead.ts";
import type { ReadCall, BlockReader, StreamReading } from "../reading/reader.ts";
import { readJsonBlock, type JsonBlock, type JsonBlockBody } from "./json-block.ts";
import { cutOff, unreadable } from "./json-calls.ts";
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
  reader.show(name, id);
  const found = yield* readJsonBlock(reader, {
    ...block,
    argumentsOf: name,
    isWhole: (body, inString) => isWhole(readCallArguments(body, { closed: true }), inString),
  });
  const marks = [...block.closers, ...(block.openers ?? []), ...(block.endings ?? []), ...reader.endings];
  const { call, rest } = callOf(reader, found, { name, marks });
  reader.tell(id === undefined ? call : { id, ...call });
  if (rest !== undefined) sayRest(reader, rest);
  if (found.how === "balanced" && /^\s*```/.test(found.body))
    yield* takeStep(reader, inOrder(blank, mark("```")));
  return found.how;
}

const isWhole = (read: CallArguments, inString: boolean): boolean =>
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
  const read = readCallArguments(body, { closed });
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
