/** Drops fields without a value from JSON: a field that is not set is not sent. */

import type { Json, JsonObject } from "../base/json.ts";

export function presentJson(fields: Record<string, Json | undefined>): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept;
}
