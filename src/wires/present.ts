/** Drops fields without a value from objects: a field that is not set is not sent. */

import type { Json, JsonObject } from "../base/json.ts";

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the fields that have a value. */
export function present<T extends object>(fields: T): Present<T>;
export function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The same for a JSON body. */
export function presentJson(fields: Record<string, Json | undefined>): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept;
}
