/** For tests: everything that a stream yields, up to its failure if it fails. */

import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import { oneByOne } from "../wires/frames.ts";
import type { Wire } from "../wires/wire.ts";
import { cutBytes } from "./byte-pieces.ts";

export type StreamOutcome = { events: ModelEvent[]; error?: ModelError };

/** Feeds bytes cut at the given offsets. */
export async function readAll(
  wire: Wire,
  bytes: Uint8Array,
  places: readonly number[] = [],
): Promise<StreamOutcome> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of oneByOne(wire.decodeBatches(cutBytes(bytes, places)))) events.push(event);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { events, error };
  }
  return { events };
}
