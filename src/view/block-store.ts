/** Stores a transcript's blocks, and finds, replaces and forgets them. */

import type { FactOf } from "../protocol/facts.ts";
import { type ChangeLog, emptyChanges } from "../protocol/fold-changes.ts";
import { type Badge, type Block, type CallBlock, callKey } from "./blocks.ts";

/**
 * `blocks` is built from facts alone, so dropping any signal changes nothing in it (A38). `live` holds what only
 * signals have reported so far, by key: a live block shadows the block with the same key, or follows all of them.
 */
export type Transcript = {
  blocks: Block[];
  live: Map<string, Block>;
  /** Key → index in `blocks`. */
  places: Map<string, number>;
  /** Lines that the open turn has changed so far. */
  changed: Badge;
  /** Changes that the open turn has staged but not applied, by path. */
  staged: Map<string, Badge>;
  /** Each turn's file changes and their current status. */
  changes: ChangeLog;
  /** When the last event arrived, in milliseconds since 1970. */
  heardAt: number;
  /** The keys of what the answer in progress has said so far, and whether it has called a tool. */
  answer: { said: string[]; called: boolean };
  /** Who has acted so far; undefined among them: somebody without a name. */
  people: Set<string | undefined>;
  /** The latest decision: a question about it follows. */
  decided?: FactOf<"decision">;
  /** The to-do list set last, until the result of the call that set it, which follows. */
  listed?: FactOf<"todos-set">["items"] | undefined;
};

export const emptyTranscript = (): Transcript => ({
  blocks: [],
  live: new Map(),
  places: new Map(),
  changed: { added: 0, removed: 0 },
  staged: new Map(),
  changes: emptyChanges(),
  heardAt: 0,
  answer: { said: [], called: false },
  people: new Set(),
});

/** Who did it, from the second person on: where one person is alone nobody is named. */
export function signature({ people }: Transcript, { by }: { by?: string | undefined }): { by?: string } {
  people.add(by);
  return by !== undefined && people.size > 1 ? { by } : {};
}

/** The call in its current state, live if there is a live block. */
export function findCall(transcript: Transcript, callId: string): CallBlock | undefined {
  const key = callKey(callId);
  const block = transcript.live.get(key) ?? storedBlock(transcript, key);
  return block?.type === "call" ? block : undefined;
}

export function add(transcript: Transcript, block: Block): Block[] {
  transcript.places.set(block.key, transcript.blocks.length);
  transcript.blocks.push(block);
  transcript.live.delete(block.key);
  return [block];
}

/** Replaces the block with the same key. */
export function replaceBlock(transcript: Transcript, block: Block): Block[] {
  const place = transcript.places.get(block.key);
  if (place === undefined) return [];
  transcript.blocks[place] = block;
  transcript.live.delete(block.key);
  return [block];
}

/**
 * Drops the oldest blocks beyond `most`, but never the open turn's request. For surfaces that never redraw old blocks.
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
  const block = storedBlock(transcript, callKey(callId));
  return block?.type === "call" ? replaceBlock(transcript, { ...block, ...patch }) : [];
}

export function storedBlock(transcript: Transcript, key: string): Block | undefined {
  const place = transcript.places.get(key);
  return place === undefined ? undefined : transcript.blocks[place];
}

export function setLive(transcript: Transcript, block: Block): Block[] {
  transcript.live.set(block.key, block);
  return [block];
}
