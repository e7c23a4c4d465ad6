/** The items of recent answers: a client may name one by its id instead of sending it again. */

import type { JsonObject } from "../../base/json.ts";
import { wireBounds } from "../bounds.ts";

const kept = new Map<string, { item: JsonObject; size: number }>();
let size = 0;

/** Keeps an item that is complete; the oldest ones are forgotten. */
export function keepItem(id: string, item: JsonObject): void {
  const own = JSON.stringify(item).length;
  kept.set(id, { item, size: own });
  size += own;
  for (const [oldest, { size: its }] of kept) {
    if (size <= wireBounds.recentItems.most) return;
    kept.delete(oldest);
    size -= its;
  }
}

/** Undefined once it is forgotten. */
export const recentItem = (id: string): JsonObject | undefined => kept.get(id)?.item;
