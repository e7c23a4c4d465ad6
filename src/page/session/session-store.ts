/** One session on the page: takes in facts and signals, and notifies the components whose part has changed. */

import { batch, type ReadonlySignal, signal, type Signal as Cell } from "@preact/signals";
import type { Entry, Signal } from "../../protocol/facts.ts";
import { step } from "../../protocol/fold.ts";
import type { ImagePart, ContentPart } from "../../protocol/messages.ts";
import { emptyState } from "../../protocol/session-state.ts";
import type { SessionValue } from "../../remote/api-values.ts";
import { type Block, callKey, blockKey } from "../../view/blocks.ts";
import { emptyTranscript, showEntry, visibleBlocks } from "../../view/transcript.ts";
import type { SessionView } from "../contract.ts";
import { withoutEchoes } from "./echoes.ts";
import { rowsOf } from "./rows.ts";

export type SessionStore = {
  readonly id: string;
  readonly view: ReadonlySignal<SessionView>;
  /** The keys of the blocks that are a row of their own, in order. */
  readonly keys: ReadonlySignal<readonly string[]>;
  block: (key: string) => ReadonlySignal<Block> | undefined;
  /** The images of a message. */
  images: (key: string) => readonly ImagePart[];
  /** The number of the request that a message started. */
  turnAt: (key: string) => number | undefined;
  /** Duration in milliseconds of a call or of reasoning; undefined until it is over. */
  took: (key: string) => number | undefined;
  /** `now` in milliseconds since 1970. */
  take: (events: readonly (Entry | Signal)[], now: number) => void;
  /** Sets the session's row, if known: its fact count tells when the store is complete. */
  begin: (row: SessionValue | undefined) => void;
};

export function sessionStore(id: string): SessionStore {
  const parts = emptyParts();
  const { transcript, state, cells } = parts;
  const view = signal<SessionView>({ id, transcript, state, row: undefined, facts: 0, isComplete: false });
  const keys = signal<readonly string[]>([]);
  let shape = "";

  const show = (changed: ReadonlySet<string>): void => {
    for (const key of changed) refresh(parts, key);
    const next = shapeOf(parts);
    if (next !== shape) {
      shape = next;
      const blocks = rowsOf(withoutEchoes(visibleBlocks(transcript)));
      for (const { key } of blocks) if (!cells.has(key)) refresh(parts, key);
      keys.value = blocks.map(({ key }) => key);
    }
  };
  let expected = Infinity;
  const tell = (row: SessionValue | undefined): void => {
    const isComplete = view.value.isComplete || state.seq >= expected;
    view.value = { ...view.value, row, facts: state.seq, isComplete };
  };

  return {
    id,
    view,
    keys,
    block: (key) => cells.get(key),
    images: (key) => parts.images.get(key) ?? [],
    turnAt: (key) => parts.turns.get(key),
    took: (key) => parts.took.get(key),
    take(events, now) {
      const changed = new Set<string>();
      for (const event of events) takeOne(parts, { event, now, changed });
      batch(() => {
        show(changed);
        if (state.seq > view.value.facts) tell(view.value.row);
      });
    },
    begin(row) {
      expected = Math.min(expected, row?.facts ?? 0);
      tell(row ?? view.value.row);
    },
  };
}

const emptyParts = () => ({
  transcript: emptyTranscript(),
  state: emptyState(),
  cells: new Map<string, Cell<Block>>(),
  images: new Map<string, readonly ImagePart[]>(),
  took: new Map<string, number>(),
  turns: new Map<string, number>(),
  /** When the last fact was recorded, and when each call began. */
  lastAt: 0,
  begun: new Map<string, number>(),
});
type SessionParts = ReturnType<typeof emptyParts>;

type IncomingEvent = { event: Entry | Signal; now: number; changed: Set<string> };

function takeOne(parts: SessionParts, { event, now, changed }: IncomingEvent): void {
  const { transcript, state } = parts;
  const before = [...transcript.live.keys()];
  const isFact = "seq" in event;
  if (isFact) clock(parts, event);
  const blocks = showEntry(transcript, event, isFact ? undefined : now);
  if (isFact) {
    const isNewTurn = state.status === "idle";
    step(state, event);
    keepImages(parts, event, blocks);
    for (const block of blocks)
      if (isNewTurn && block.type === "user") parts.turns.set(block.key, event.turn);
  }
  for (const { key } of blocks) changed.add(key);
  // A fact that settles a live block removes it without reporting the change.
  for (const key of before) if (!transcript.live.has(key)) changed.add(key);
}

/** Based on facts alone, so that a page opened later shows the same durations. */
function clock(parts: SessionParts, event: Entry): void {
  if (event.type === "call-start" && !parts.begun.has(event.callId)) parts.begun.set(event.callId, event.at);
  const begun = event.type === "result" ? parts.begun.get(event.callId) : undefined;
  if (event.type === "result" && begun !== undefined)
    parts.took.set(callKey(event.callId), Math.max(0, event.at - begun));
  if (event.type === "reasoning") parts.took.set(blockKey(event.block), Math.max(0, event.at - parts.lastAt));
  parts.lastAt = event.at;
}

function keepImages(parts: SessionParts, event: Entry, blocks: readonly Block[]): void {
  if (event.type !== "user-message" && event.type !== "steer" && event.type !== "message-queued") return;
  const images = event.content.filter(isImage);
  const shown = blocks.find(
    ({ type }) => type === "user" || (type === "queued" && event.type === "message-queued"),
  );
  if (shown && images.length > 0) parts.images.set(shown.key, images);
}

const isImage = (part: ContentPart): part is ImagePart => part.type === "image";

function refresh({ transcript, cells }: SessionParts, key: string): void {
  const place = transcript.places.get(key);
  const block = transcript.live.get(key) ?? (place === undefined ? undefined : transcript.blocks[place]);
  const cell = cells.get(key);
  if (!block) return void cells.delete(key);
  if (cell) cell.value = block;
  else cells.set(key, signal(block));
}

/** A value that changes with the list of keys: among signals, only those that open or close a live block change it. */
function shapeOf({ state, transcript: { live, places } }: SessionParts): string {
  const behind = [...live.keys()].filter((key) => !places.has(key));
  return `${state.seq} ${behind.join(" ")}`;
}
