/**
 * What processes tell each other at once, over PostgreSQL's NOTIFY: gathered for a moment, sent outside of every
 * transaction, and lost without harm.
 */

import { mib } from "../../base/bound.ts";
import { KeptConnection } from "./kept-connection.ts";
import type { ServerLink } from "./server-link.ts";

/** How long notices are gathered, in milliseconds: a statement for each would slow every writer down. */
const gatherMs = 40;
/** The server takes 7999 bytes at once. */
const mostPayloadBytes = 7_900;
/** Notices that wait for a server that does not answer, in bytes; then all of them are dropped. */
const mostWaitingBytes = mib;

/** `Notice`: plain data. */
export class Notices<Notice> {
  readonly #link: ServerLink;
  readonly #channel: string;
  readonly #listeners = new Set<(notice?: Notice) => void>();
  #waiting: string[] = [];
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #connection: KeptConnection | undefined;
  #isClosed = false;

  constructor(link: ServerLink, channel: string) {
    this.#link = link;
    this.#channel = channel;
  }

  /** Never waits, never throws. One that is too long is not sent. */
  tell(notice: Notice): void {
    const text = JSON.stringify(notice);
    const bytes = Buffer.byteLength(text) + 1;
    if (this.#isClosed || bytes + 1 > mostPayloadBytes) return;
    if (this.#waitingBytes + bytes > mostWaitingBytes) this.#drop();
    this.#waiting.push(text);
    this.#waitingBytes += bytes;
    this.#later();
  }

  /**
   * The first listener opens a connection for all of them. They are called without a notice when it is there, and again
   * after it was lost: some may have been missed.
   */
  hear(listener: (notice?: Notice) => void): () => void {
    this.#listeners.add(listener);
    if (!this.#connection && !this.#isClosed) this.#listen();
    return () => this.#listeners.delete(listener);
  }

  /** What waits is still sent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sending;
    if (this.#waiting.length > 0) await this.#send();
    clearTimeout(this.#timer);
    await this.#connection?.close();
  }

  #drop(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  async #send(): Promise<void> {
    if (this.#sending) return;
    clearTimeout(this.#timer);
    const payloads = payloadsOf(this.#waiting);
    this.#drop();
    this.#sending = this.#link
      .once(async (sql) => {
        await sql("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload", [
          this.#channel,
          payloads,
        ]);
      })
      .catch(() => undefined);
    await this.#sending;
    this.#sending = undefined;
    this.#timer = undefined;
    if (this.#waiting.length > 0) this.#later();
  }

  #later(): void {
    this.#timer ??= setTimeout(() => void this.#send(), gatherMs).unref();
  }

  #listen(): void {
    this.#connection = new KeptConnection(this.#link, {
      opened: async (client) => {
        await client.query(`LISTEN ${this.#channel}`);
        for (const listener of this.#listeners) listener();
      },
      heard: (payload) => this.#heard(payload),
    });
    this.#connection.keep();
  }

  #heard(payload: string): void {
    for (const notice of noticesIn<Notice>(payload)) for (const listener of this.#listeners) listener(notice);
  }
}

/** What another program sends on our channel is none. */
function noticesIn<Notice>(payload: string): Notice[] {
  try {
    const notices: Notice[] = JSON.parse(payload);
    return Array.isArray(notices) ? notices : [];
  } catch {
    return [];
  }
}

/** As few payloads as hold them: arrays of JSON. */
function payloadsOf(texts: readonly string[]): string[] {
  const groups: string[][] = [];
  let bytes = mostPayloadBytes;
  for (const text of texts) {
    const more = Buffer.byteLength(text) + 1;
    if (bytes + more > mostPayloadBytes) {
      groups.push([]);
      bytes = 2;
    }
    groups.at(-1)?.push(text);
    bytes += more;
  }
  return groups.map((group) => `[${group.join(",")}]`);
}
