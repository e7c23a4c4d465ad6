/** Field readers for untrusted JSON from providers and clients. */

import { refuse } from "../base/expected.ts";
import { isJsonObject, isObject, parseJson, type Json, type JsonObject } from "../base/json.ts";
import { losesDigits } from "../base/long-numbers.ts";
import { addedClosers, readLoose } from "../base/loose-json.ts";
import { asArguments, readCallArguments } from "../protocol/call-arguments.ts";
import type { ToolCall, CallFault, Repair } from "../protocol/messages.ts";
import { ModelError, type ModelErrorKind } from "../protocol/model-events.ts";

/** The text at a key, or `undefined` when there is none. */
export function stringAt(object: unknown, key: string): string | undefined {
  const value = at(object, key);
  return typeof value === "string" ? value : undefined;
}

/** The finite number at a key, or `undefined` when there is none. */
export function numberAt(object: unknown, key: string): number | undefined {
  const value = at(object, key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The object at a key, or `undefined` when there is none. */
export function objectAt(object: unknown, key: string): Record<string, unknown> | undefined {
  const value = at(object, key);
  return isObject(value) ? value : undefined;
}

/** The list at a key, or `undefined` when there is none. */
export function arrayAt(object: unknown, key: string): unknown[] | undefined {
  const value = at(object, key);
  return Array.isArray(value) ? value : undefined;
}

/**
 * Parses one frame of a stream: a JSON object, which Google may wrap in a list of one. Throws the error of a damaged
 * stream, which quotes at most 200 characters of the text.
 */
export function parseFrame(text: string): JsonObject {
  const parsed = parseJson(text);
  const value = parsed.ok ? onlyItem(parsed.value) : undefined;
  if (value !== undefined && isJsonObject(value)) return value;
  throw damagedStream(notAnObject(text));
}

/**
 * The error of a stream that breaks in its form. As one that breaks off it is passing: the server, or what stands
 * before it, does better when asked again.
 */
export const damagedStream = (message: string): ModelError =>
  new ModelError("server", message, { advice: "Try again.", fault: "stream_error" });

const onlyItem = (value: Json): Json | undefined =>
  Array.isArray(value) && value.length === 1 ? value[0] : value;

/** Checks a whole reply that was parsed elsewhere: returns the JSON object, or throws ModelError "malformed". */
export function wholeObject(body: unknown): Record<string, unknown> {
  if (isObject(body)) return body;
  const shown = typeof body === "string" ? body : Array.isArray(body) ? "a list" : String(body);
  throw new ModelError("malformed", notAnObject(shown), { advice: "Check the base URL." });
}

const notAnObject = (text: string): string =>
  `The provider sent something that is not a JSON object: ${text.trim() === "" ? "nothing" : `“${oneLine(text, 200)}”`}.`;

/** At most `most` characters of a text, on one line. */
export function oneLine(text: string, most: number): string {
  return text
    .slice(0, most * 2)
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, most)
    .toWellFormed();
}

/** Adds a full stop if the text does not end a sentence. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/**
 * The error kind of an HTTP status and the words with it, if the provider gives no better hint. A success status only
 * says "something failed".
 */
export function errorKindOf(status: number, said?: string): ModelErrorKind {
  if (status < 400) return "server";
  if (status === 401 || status === 403) return "auth";
  if (status === 404) return said !== undefined && isMissingPath(said) ? "unknown-path" : "unknown-model";
  if (status === 408 || status === 504) return "timeout";
  if (status === 413) return "context-overflow";
  if (status === 429) return "rate-limit";
  if (status === 503 || status === 529) return "overloaded";
  return status >= 500 ? "server" : "bad-request";
}

/** Whether these are the words of a server that has nothing at an address: most likely the base URL is wrong. */
export const isMissingPath = (said: string): boolean =>
  /^(?:404\b\W*)?(?:(?:page|path|route|url) )?not found\W*$|^invalid url\b|^cannot (?:get|post)\b|^$/i.test(
    said.trim(),
  );

/**
 * The delay in milliseconds that the provider requests: `retry-after-ms`, or `retry-after` in seconds or as an HTTP
 * date (RFC 9110, 10.2.3). Header names are in lower case.
 */
export function retryAfterOf(headers: Record<string, string | undefined>): number | undefined {
  const milliseconds = plainNumber(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return Math.round(milliseconds);
  const said = headers["retry-after"];
  const seconds = plainNumber(said);
  if (seconds !== undefined) return Math.round(seconds * 1000);
  const date = Date.parse(said ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

const plainNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;

/** Makes an id for a call that arrived without one, such as "call_3f2a9c81d04b4e6f". */
export const makeId = (prefix: string): string =>
  `${prefix}_${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;

/**
 * A call's arguments. If they could not be read, `input` is empty, `problem` says why, and `fault` is the
 * machine-readable reason. `rawArguments` is the original text, where it differs from `input` or holds digits that
 * `input` lost.
 */
export type ParsedArguments = {
  input: JsonObject;
  problem?: string;
  fault?: CallFault;
  rawArguments?: string;
  repairs?: Repair[];
};

/** Maximum nesting depth of arguments: no honest call comes near it, and recursion stays safe. */
const maxDepth = 128;

/**
 * Reads the arguments of a complete call, given as a text or as an object. Absent arguments mean `{}`; unreadable ones
 * are marked with a problem, never thrown.
 */
export function readArguments(value: unknown): ParsedArguments {
  if (isBlank(value)) return { input: {} };
  const read = typeof value === "string" ? readWritten(value) : { ok: true as const, value, repairs: [] };
  if (!read.ok) {
    const rawArguments = textOf(value);
    const problem = `The arguments are not valid JSON: ${oneLine(read.problem, 200)}`;
    return { input: {}, problem, fault: breaksOff(rawArguments) ? "truncated" : broken, rawArguments };
  }
  const { input, repairs } = unwrapInput(read.value, read.repairs);
  const problem = problemOf(input);
  if (problem !== undefined || !isObject(input))
    return { input: {}, problem: problem ?? "", fault: broken, rawArguments: textOf(value) };
  if (repairs.length > 0) return { input: copyOf(input), rawArguments: textOf(value), repairs };
  const isLossy = typeof value === "string" && holdsNumber(input) && losesDigits(value);
  return { input: copyOf(input), ...(isLossy ? { rawArguments: value } : {}) };
}

type WrittenInput = { ok: true; value: unknown; repairs: Repair[] } | { ok: false; problem: string };

/**
 * Reads arguments given as a text, with the repairs of calls in text. The provider says where they begin and end, so a
 * bracket too few or too many shows that a piece was lost on the way, or given to another call.
 */
function readWritten(written: string): WrittenInput {
  const repairs: Repair[] = [];
  const text = withoutEmpty(written, repairs);
  const strict = parseJson(text);
  if (strict.ok) return { ok: true, value: strict.value, repairs };
  const read = readCallArguments(text, { closed: false });
  if (!read.ok) return refuse(read.problem || strict.problem);
  if (read.repairs.some(({ code }) => code === addedClosers) || !leftovers.test(read.rest))
    return refuse(strict.problem);
  if (/[^\s`]/.test(read.rest))
    repairs.push({ code: "trailing-text", detail: "Closing marks behind the arguments were dropped." });
  return { ok: true, value: read.input, repairs: [...read.repairs, ...repairs] };
}

/** What may stand behind complete arguments: the end of a fence, closing marks of calls. */
const leftovers = /^(?:[\s`]|<\/[\w:-]{1,40}>|<[|｜][^<>\n]{1,40}>|\[\/[A-Z_]{1,40}\])*$/;

/** Arguments as JSON: the original text if it is equivalent, because it may hold digits that `input` lost. */
export function writtenArguments({ input, rawArguments }: Pick<ToolCall, "input" | "rawArguments">): string {
  const json = JSON.stringify(input);
  const said = rawArguments === undefined ? undefined : parseJson(rawArguments);
  return said?.ok && JSON.stringify(said.value) === json ? (rawArguments ?? json) : json;
}

const broken = "malformed_arguments" satisfies CallFault;

/** Whether a value is absent or a text of white space. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/** Marks arguments that were cut off while being written: never run, however much of them is readable. */
export const cutArguments = (rawArguments: string, problem: string): ParsedArguments => ({
  input: {},
  problem,
  fault: "truncated",
  rawArguments,
});

/** The arguments of a call without a name: marked as a problem, so that the call never runs. */
export const namelessCall = (rawArguments: string): ParsedArguments => ({
  input: {},
  problem: "The call names no tool.",
  fault: "unknown_tool",
  rawArguments,
});

/** Whether a text that looks like an object ends inside a value, so that it lacks more than closing brackets. */
function breaksOff(text: string): boolean {
  if (!/^\s*\{\s*("|$)/.test(text)) return false;
  const read = readLoose(text, { closed: false });
  return !read.ok && read.cut;
}

/** Removes the `{}` with which Anthropic's calls begin: proxies write it before the real input. */
function withoutEmpty(text: string, repairs: Repair[]): string {
  const real = text.replace(/^\s*\{\s*\}\s*(?=\{)/, "");
  if (real !== text)
    repairs.push({ code: "empty-first", detail: "An empty object before the arguments was dropped." });
  return real;
}

/** Unwraps arguments: proxies encode the object twice or wrap it in a list; PHP writes an empty object as a list. */
function unwrapInput(value: unknown, repairs: readonly Repair[]): { input: unknown; repairs: Repair[] } {
  const given = Array.isArray(value) && value.length === 0 ? [{}] : value;
  const isWrapped = Array.isArray(given) || typeof given === "string";
  const inner = isWrapped && !isDeeper(given, maxDepth) ? asArguments(asJson(given)) : undefined;
  const isCut = inner?.notes.some(({ code }) => code === addedClosers) === true;
  return !inner || isCut
    ? { input: value, repairs: [...repairs] }
    : { input: inner.input, repairs: [...repairs, ...inner.notes] };
}

function problemOf(value: unknown): string | undefined {
  if (!isObject(value)) return "The arguments are not a JSON object.";
  return isDeeper(value, maxDepth)
    ? `The arguments are nested more than ${maxDepth} levels deep.`
    : undefined;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

const holdsNumber = (value: unknown): boolean =>
  typeof value === "number" ||
  (typeof value === "object" && value !== null && Object.values(value).some(holdsNumber));

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return isDeeper(value, 1000) ? "(too deep to show)" : (JSON.stringify(value) ?? "");
}

/** Copies data as JSON: values that JSON cannot express become null, and so do values more than 1,000 levels deep. */
export function asJson(value: unknown, levels = 1000): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => asJson(item, levels - 1));
  return isObject(value) ? copyOf(value, levels - 1) : null;
}

/** Uses `fromEntries`, which defines own properties, so that a key "__proto__" stays data. */
export const copyOf = (object: Record<string, unknown>, levels = 1000): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, asJson(value, levels)]));

const at = (object: unknown, key: string): unknown =>
  isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
