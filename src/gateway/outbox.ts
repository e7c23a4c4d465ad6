/** Sends one socket's output: frames at once, session events in batches, and never more than the client reads. */

import type { WebSocket } from "ws";
import type { ServerFrame } from "../remote/frames.ts";
import { closeCodes } from "../remote/frames.ts";
import { gatewayBounds, mostAheadBytes } from "./bounds.ts";
import type { GatewayCounts } from "./counts.ts";

const { queueBytes } = gatewayBounds;
/** A longer message is sent in parts: each part read shows that the client is still reading. */
const partBytes = mostAheadBytes / 2;

/** The reason sent with the close code for a slow client. */
export const tooSlow = "Client too slow: reconnect and resume.";

type Batch = { events: string[]; signals: number };

export class Outbox {
  readonly #socket: WebSocket;
  readonly #counts: GatewayCounts;
  /** Events taken but not yet sent, by follow id. */
  readonly #batches = new Map<string, Batch>();
  #batched = 0;
  #flushing: NodeJS.Immediate | undefined;
  #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(socket: WebSocket, counts: GatewayCounts) {
    this.#socket = socket;
    this.#counts = counts;
    socket.once("close", () => this.#close());
  }

  send(frame: ServerFrame): void {
    this.put(JSON.stringify(frame));
  }

  /** Queues facts as JSON; what is ready in the same tick is sent together. */
  facts(id: string, all: readonly string[]): void {
    for (const json of all) this.#add(id, json);
  }

  signal(id: string, json: string): void {
    this.#add(id, json).signals += 1;
  }

  #add(id: string, json: string): Batch {
    const batch = this.#batches.get(id) ?? { events: [], signals: 0 };
    this.#batches.set(id, batch);
    batch.events.push(json);
    this.#batched += json.length;
    this.#flushing ??= setImmediate(() => this.flush());
    return batch;
  }

  /** Drops the queued events of a session that is no longer followed. */
  drop(id: string): void {
    for (const json of this.#batches.get(id)?.events ?? []) this.#batched -= json.length;
    this.#batches.delete(id);
  }

  flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    for (const [id, { events, signals }] of this.#batches) {
      const text = `{"type":"events","id":${JSON.stringify(id)},"events":[${events.join(",")}]}`;
      if (events.length > signals)
        this.#counts.add("events_total", events.length - signals, { type: "fact" });
      if (signals > 0) this.#counts.add("events_total", signals, { type: "signal" });
      this.#counts.add("event_bytes_total", text.length);
      this.put(text);
    }
    this.#batches.clear();
    this.#batched = 0;
    this.#wake();
  }

  /** Resolves when more may be taken: at once, or when the client has caught up. */
  async untilSpace(): Promise<void> {
    while (this.#isFull && !this.#isClosed)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
  }

  get #isFull(): boolean {
    return this.#batched + this.#socket.bufferedAmount > mostAheadBytes;
  }

  /** Sends a frame as it is. */
  put(text: string): void {
    if (this.#isClosed || this.#socket.readyState !== this.#socket.OPEN) return;
    // A single frame may exceed this: a client that has read everything before it still gets it.
    if (this.#socket.bufferedAmount > queueBytes.most) return this.#tooSlow();
    sendInParts(this.#socket, text, () => this.#wake());
  }

  #tooSlow(): void {
    this.#counts.one("closed_total", { reason: "slow" });
    this.#socket.close(closeCodes.tooSlow, tooSlow);
  }

  #wake(): void {
    if (this.#isFull) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #close(): void {
    this.#isClosed = true;
    clearImmediate(this.#flushing);
    this.#batches.clear();
    this.#batched = 0;
    for (const resolve of this.#waiting) resolve();
    this.#waiting = [];
  }
}

/** `sent`: called when the system has accepted a part, or the part is lost with the socket. */
function sendInParts(socket: WebSocket, text: string, sent: () => void): void {
  if (text.length <= partBytes / 2) return socket.send(text, sent);
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += partBytes) {
    const end = start + partBytes;
    socket.send(bytes.subarray(start, end), { binary: false, fin: end >= bytes.length }, sent);
  }
}
