/** Types for JSON data, and parsing without exceptions. */

import { type Expected, errorMessage, refuse } from "./expected.ts";

/** Any JSON value. @public */
export type Json = null | boolean | number | string | Json[] | JsonObject;
/** A JSON object. @public */
export type JsonObject = { [key: string]: Json };

/** True for `{…}`: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses any JSON text; the problem is the engine's own message. */
export function parseJson(text: string): Expected<Json> {
  try {
    const value: Json = JSON.parse(text);
    return { ok: true, value };
  } catch (error) {
    return refuse(errorMessage(error));
  }
}

/** Parses JSON text that must be an object. */
export function parseObject(text: string): Expected<JsonObject> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  return isJsonObject(parsed.value) ? { ok: true, value: parsed.value } : refuse("expected a JSON object");
}

export function isJsonObject(value: Json): value is JsonObject {
  return isObject(value);
}

/** Whether lists and objects are nested more than `most` levels deep. */
export function isDeeperThan(most: number, value: Json): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    level = level.filter((one) => typeof one === "object" && one !== null);
    if (depth >= most && level.length > 0) return true;
    level = level.flatMap((one) => (one === null || typeof one !== "object" ? [] : Object.values(one)));
  }
  return false;
}

/** The JSON of a value, the same in whatever order its keys were written. */
export const jsonInOrder = (value: unknown): string => JSON.stringify(value, inKeyOrder);

const inKeyOrder = (_: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;
