/** What goes out over one socket: frames at once, events of followed sessions together, and never more than is read. */

import type { WebSocket } from "ws";
import { bounds } from "../../base/bounds.ts";
import type { ServerFrame } from "../remote/frames.ts";
import { closeCodes } from "../remote/frames.ts";
import type { Counts } from "./counts.ts";

const { aheadBytes, queueBytes } = bounds.gateway;
/** A longer message goes in parts: each that is read shows that the client still reads. */
const partBytes = aheadBytes.most / 2;

/** What a client is told with the close code for it. */
export const tooSlow = "Client too slow: reconnect and resume.";

type Batch = { events: string[] };

export class Outbox {
  readonly #socket: WebSocket;
  readonly #counts: Counts;
  /** Events that were taken and are not sent yet, by what is followed. */
  readonly #batches = new Map<string, Batch>();
  #batched = 0;
  #flushing: NodeJS.Immediate | undefined;
  #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(socket: WebSocket, counts: Counts) {
    this.#socket = socket;
    this.#counts = counts;
    socket.once("close", () => this.#close());
  }

  send(frame: ServerFrame): void {
    this.#put(JSON.stringify(frame));
  }

  /** One event as JSON, together with others that are ready in this moment. */
  event(id: string, json: string): void {
    const batch = this.#batches.get(id) ?? { events: [] };
    batch.events.push(json);
    this.#batches.set(id, batch);
    this.#batched += json.length;
    this.#flushing ??= setImmediate(() => this.flush());
  }

  /** Events that wait of what is not followed any more. */
  drop(id: string): void {
    for (const json of this.#batches.get(id)?.events ?? []) this.#batched -= json.length;
    this.#batches.delete(id);
  }

  flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    for (const [id, { events }] of this.#batches) {
      const text = `{"type":"events","id":${JSON.stringify(id)},"events":[${events.join(",")}]}`;
      this.#counts.add("events_total", events.length);
      this.#counts.add("event_bytes_total", text.length);
      this.#put(text);
    }
    this.#batches.clear();
    this.#batched = 0;
    this.#wake();
  }

  /** Resolves when more may be taken: at once, or when the client has read. */
  async room(): Promise<void> {
    while (this.#isFull && !this.#isClosed)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
  }

  get #isFull(): boolean {
    return this.#batched + this.#socket.bufferedAmount > aheadBytes.most;
  }

  #put(text: string): void {
    if (this.#isClosed || this.#socket.readyState !== this.#socket.OPEN) return;
    // A single frame may be larger: whoever reads all before it gets it.
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

/** `sent`: the system has taken a part of it, or it is lost with the socket. */
export function sendInParts(socket: WebSocket, text: string, sent: () => void): void {
  if (text.length <= partBytes / 2) return socket.send(text, sent);
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += partBytes) {
    const end = start + partBytes;
    socket.send(bytes.subarray(start, end), { binary: false, fin: end >= bytes.length }, sent);
  }
}
