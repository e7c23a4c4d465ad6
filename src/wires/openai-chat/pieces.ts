/** One entry of `tool_calls` in a Chat Completions delta or message, whatever a server makes of its fields. */

import { isObject, type JsonObject } from "../../base/json.ts";
import type { Opaque } from "../../protocol/messages.ts";
import { asJson, copyOf, objectAt } from "../fields.ts";
import { chatName } from "./reasoning.ts";

/** What a server numbers its calls with: a label, not a position, for some count their text as number 0. */
export type Label = number | string | undefined;

/**
 * `text` is what the entry adds to the arguments. What is missing, null or the word "null" is empty here. `state`:
 * Google puts the thought signature of a call beside it.
 */
export type Piece = { id: string; label: Label; name: string; text: string; state: Opaque | undefined };

/** Fields are looked at in place: a long call comes in thousands of pieces (see events.ts). */
export function readPiece(entry: unknown): Piece {
  const call: Record<string, unknown> = isObject(entry) ? entry : {};
  const { id, index, extra_content: extra } = call;
  const { name, arguments: given } = isObject(call["function"]) ? call["function"] : call;
  return {
    id: typeof id === "number" ? String(id) : named(id),
    label: typeof index === "number" || typeof index === "string" ? index : undefined,
    name: named(name),
    text: written(given),
    state: isObject(extra) ? { from: chatName, value: { extra_content: copyOf(extra) } } : undefined,
  };
}

/** Some servers write "null" where there is nothing. */
const named = (name: unknown): string => (typeof name === "string" && name !== "null" ? name : "");

/** Arguments are text; proxies put them in as they are, and `null` stands for none. */
function written(given: unknown): string {
  if (typeof given === "string") return given;
  return given === undefined || given === null ? "" : JSON.stringify(asJson(given));
}

/** What goes back beside a call, as it came: without its signature Gemini 3 refuses the whole request. */
export function besideCall(state: Opaque | undefined): JsonObject {
  const extra = state?.from === chatName ? objectAt(state.value, "extra_content") : undefined;
  return extra ? { extra_content: copyOf(extra) } : {};
}

/**
 * The entries of a delta or message. The `function_call` of before 2023-11 is a call without label; gateways that
 * write both mean the same call.
 */
export function entriesOf({ tool_calls: calls, function_call: legacy }: Record<string, unknown>): unknown[] {
  if (isObject(calls)) return [calls];
  if (Array.isArray(calls) && calls.length > 0) return calls;
  return isObject(legacy) ? [legacy] : [];
}
