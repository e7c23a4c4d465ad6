/** The blocks of a transcript: where they are kept, found and replaced. */

import type { FactOf } from "../../protocol/facts.ts";
import { type ChangeLog, emptyChanges } from "../../protocol/fold-changes.ts";
import { type Badge, type Block, type CallBlock, callKey } from "./blocks.ts";

/**
 * `blocks` comes from facts alone, so that dropping any signal changes nothing in it (A38). `live` is what only
 * signals have told so far, by key: it shadows the block of the same key, or stands after all of them.
 */
export type Transcript = {
  blocks: Block[];
  live: Map<string, Block>;
  /** Key → place in `blocks`. */
  places: Map<string, number>;
  /** Lines that the open turn has changed so far. */
  changed: Badge;
  /** What the open turn has staged and not applied, by path. */
  staged: Map<string, Badge>;
  /** What each turn did to files, and what has become of that. */
  changes: ChangeLog;
  /** When the last event came, in milliseconds since 1970. */
  heardAt: number;
  /** What was last decided: a question about it comes next. */
  decided?: FactOf<"decision">;
};

export const emptyTranscript = (): Transcript => ({
  blocks: [],
  live: new Map(),
  places: new Map(),
  changed: { added: 0, removed: 0 },
  staged: new Map(),
  changes: emptyChanges(),
  heardAt: 0,
});

/** The call as it looks right now. */
export function findCall(transcript: Transcript, callId: string): CallBlock | undefined {
  const key = callKey(callId);
  const block = transcript.live.get(key) ?? stored(transcript, key);
  return block?.type === "call" ? block : undefined;
}

export function add(transcript: Transcript, block: Block): Block[] {
  transcript.places.set(block.key, transcript.blocks.length);
  transcript.blocks.push(block);
  transcript.live.delete(block.key);
  return [block];
}

/** Replaces the block of the same key. */
export function put(transcript: Transcript, block: Block): Block[] {
  const place = transcript.places.get(block.key);
  if (place === undefined) return [];
  transcript.blocks[place] = block;
  transcript.live.delete(block.key);
  return [block];
}

/**
 * Lets go of the oldest blocks beyond `most`, but never of the open turn's request: for surfaces that never draw them
 * again.
 */
export function forgetOldest(transcript: Transcript, most: number): void {
  const { blocks, places } = transcript;
  if (blocks.length <= most) return;
  const request = blocks.findLastIndex(({ type }) => type === "user");
  const first = blocks.length - most;
  const kept = blocks.filter((_, place) => place >= first || place === request);
  transcript.blocks = kept;
  places.clear();
  for (const [place, { key }] of kept.entries()) places.set(key, place);
}

export function patchCall(transcript: Transcript, callId: string, patch: Partial<CallBlock>): Block[] {
  const block = stored(transcript, callKey(callId));
  return block?.type === "call" ? put(transcript, { ...block, ...patch }) : [];
}

export function stored(transcript: Transcript, key: string): Block | undefined {
  const place = transcript.places.get(key);
  return place === undefined ? undefined : transcript.blocks[place];
}

export function setLive(transcript: Transcript, block: Block): Block[] {
  transcript.live.set(block.key, block);
  return [block];
}
