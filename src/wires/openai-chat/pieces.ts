/** Parses one entry of `tool_calls` in a Chat Completions delta or message, in all variants that servers produce. */

import { isObject, type JsonObject } from "../../base/json.ts";
import type { Opaque } from "../../protocol/messages.ts";
import { arrayAt, asJson, copyOf, objectAt, stringAt } from "../fields.ts";
import { onlyEntry, type PieceOf } from "../joint-frames.ts";
import { chatName } from "./reasoning.ts";

/** A server's number for a call: a label, not a position, because some servers count their text as number 0. */
export type Label = number | string | undefined;

/**
 * `text` is the entry's addition to the arguments. Missing values, null and the word "null" become empty. `state`:
 * Google sends the thought signature of a call beside it.
 */
export type CallPiece = { id: string; label: Label; name: string; text: string; state: Opaque | undefined };

/** Fields are read directly: a long call comes in thousands of pieces (see events.ts). */
export function readPiece(entry: unknown): CallPiece {
  const call: Record<string, unknown> = isObject(entry) ? entry : {};
  const { id, index, extra_content: extra } = call;
  const { name, arguments: given } = isObject(call["function"]) ? call["function"] : call;
  return {
    id: typeof id === "number" ? String(id) : presentName(id),
    label: typeof index === "number" || typeof index === "string" ? index : undefined,
    name: presentName(name),
    text: argumentsText(given),
    state: isObject(extra) ? { from: chatName, value: { extra_content: copyOf(extra) } } : undefined,
  };
}

/** Some servers write "null" for a missing name. */
const presentName = (name: unknown): string => (typeof name === "string" && name !== "null" ? name : "");

/** Arguments are a text; proxies send them as an object, and `null` means none. */
function argumentsText(given: unknown): string {
  if (typeof given === "string") return given;
  return given === undefined || given === null ? "" : JSON.stringify(asJson(given));
}

/** The fields that go back beside a call unchanged: without its signature Gemini 3 refuses the whole request. */
export function besideCall(state: Opaque | undefined): JsonObject {
  const extra = state?.from === chatName ? objectAt(state.value, "extra_content") : undefined;
  return extra ? { extra_content: copyOf(extra) } : {};
}

/**
 * The entries of a delta or message. The `function_call` of before 2023-11 is a call without a label; gateways that
 * write both forms mean the same call.
 */
export function entriesOf({ tool_calls: calls, function_call: legacy }: Record<string, unknown>): unknown[] {
  if (isObject(calls)) return [calls];
  if (Array.isArray(calls) && calls.length > 0) return calls;
  return isObject(legacy) ? [legacy] : [];
}

/** The piece of a chunk: text, thought, or arguments of one call that has neither an id nor a name here. */
export const pieceOf: PieceOf = (chunk) => {
  const [choice, ...more] = arrayAt(chunk, "choices") ?? [];
  if (more.length > 0 || stringAt(choice, "finish_reason") !== undefined) return undefined;
  const [field = "", text] = onlyEntry(objectAt(choice, "delta"), ["role"]) ?? [];
  if (pieceFields.has(field)) return { text };
  const [call, ...others] = field === "tool_calls" && Array.isArray(text) ? text : [];
  const [where, said] = onlyEntry(call, ["index", "type"]) ?? [];
  const [what, json] = (where === "function" && onlyEntry(said)) || [];
  return others.length === 0 && what === "arguments" ? { text: json, apart: mayBound } : undefined;
};

const pieceFields = new Set(["content", "reasoning_content", "reasoning", "reasoning_text"]);

/** Where arguments begin and end decides which call a piece belongs to. */
const mayBound = /[{}]|\\u/;
