/** The name and hash by which a tool's definition is remembered. */

import { sha256 } from "../../base/crypto.ts";
import { type JsonObject, jsonInOrder } from "../../base/json.ts";

/** Long names are hashed, so that the file stays below the size limit for reading it. */
export const pinName = (tool: string): string =>
  tool.length <= longestName ? tool : `sha256:${sha256(new TextEncoder().encode(tool))}`;

/** Shorter than a hash, so the two cannot collide. */
const longestName = 64;

const telling = ["name", "title", "description", "inputSchema", "annotations"] as const;

/** Independent of the order of keys. */
export function definitionHash(definition: JsonObject): string {
  const told = Object.fromEntries(
    telling.flatMap((key) => (key in definition ? [[key, definition[key] ?? null]] : [])),
  );
  return sha256(new TextEncoder().encode(jsonInOrder(told)));
}
