/** Reads the arguments of one call from the text of a model, whether it came natively or among other text. */

import { quoteEntity, withoutEntities } from "../base/html-entities.ts";
import { jsonExtent } from "../base/json-brackets.ts";
import { isJsonObject, parseJson, type Json, type JsonObject } from "../base/json.ts";
import { maxDepth, readLoose } from "../base/loose-json.ts";
import type { Repair } from "./messages.ts";

/** The arguments of one call as read from a text; `rest` follows them. `isCut`: the text ended inside. */
export type CallArguments =
  | { ok: true; input: JsonObject; repairs: Repair[]; rest: string }
  | { ok: false; isCut: boolean; problem: string };

/** Parses a body as the arguments of one call. `closed`: whether its end is certain. */
export function readCallArguments(body: string, { closed }: { closed: boolean }): CallArguments {
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

/** Converts what was given as arguments to an object; undefined if it cannot be one. */
export function asArguments(value: Json | undefined): { input: JsonObject; notes: Repair[] } | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === "") return { input: {}, notes: [] };
  if (isJsonObject(value)) return { input: value, notes: [] };
  const only = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  if (only !== undefined && isJsonObject(only))
    return { input: only, notes: [{ code: "list", detail: "The arguments stood in a list." }] };
  if (typeof value !== "string" || !value.trimStart().startsWith("{")) return undefined;
  const encoded: Repair = { code: "double-encoded", detail: "The arguments were encoded as a string." };
  const read = readLoose(value, { closed: true });
  return read.ok && isJsonObject(read.value)
    ? { input: read.value, notes: [encoded, ...read.repairs] }
    : undefined;
}

/** Undoes an encoding of the whole block, if its first quotation mark reveals one. */
export function decodeBlock(body: string): string {
  if (/^\s*"[\s[]*\{\s*\\"/.test(body)) {
    const inner = parseJson(body);
    if (inner.ok && typeof inner.value === "string") return inner.value;
  }
  const first = firstQuote.exec(body)?.[1];
  if (first?.startsWith("&") === true) return withoutEntities(body);
  if (first !== '\\"') return body;
  const once = parseJson(`"${body.trim().replaceAll("\n", "\\n")}"`);
  return once.ok && typeof once.value === "string" ? once.value : body;
}

const firstQuote = new RegExp(`^[^"'“]*?(${quoteEntity}|\\\\"|["'“])`, "i");
