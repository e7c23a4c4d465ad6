/** For tests: everything that a stream gives, up to its failure if it has one. */

import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import type { Wire } from "../wires/wire.ts";
import { cut } from "./cut.ts";

export type ReadAll = { events: ModelEvent[]; error?: ModelError };

/** Reads bytes cut at the given places. */
export async function readAll(
  wire: Wire,
  bytes: Uint8Array,
  places: readonly number[] = [],
): Promise<ReadAll> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of wire.decodeEvents(cut(bytes, places))) events.push(event);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { events, error };
  }
  return { events };
}
