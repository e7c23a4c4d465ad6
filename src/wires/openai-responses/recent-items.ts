/** The items of recent answers: a client may name one by its id instead of sending it again. */

import { mib } from "../../base/bound.ts";
import type { JsonObject } from "../../base/json.ts";

/** The items of recent answers that clients of OpenAI Responses may name by their ids, in characters. */
const mostRecentItems = 8 * mib;

const kept = new Map<string, { item: JsonObject; size: number }>();
let size = 0;

/** Keeps an item that is complete; the oldest ones are forgotten. */
export function keepItem(id: string, item: JsonObject): void {
  const own = JSON.stringify(item).length;
  kept.set(id, { item, size: own });
  size += own;
  for (const [oldest, { size: its }] of kept) {
    if (size <= mostRecentItems) return;
    kept.delete(oldest);
    size -= its;
  }
}

/** Undefined once it is forgotten. */
export const recentItem = (id: string): JsonObject | undefined => kept.get(id)?.item;
