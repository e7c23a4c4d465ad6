/** A connection to a PostgreSQL server that is kept for what belongs to a connection: listening, and locks. */

import type { Client } from "pg";
import { sleep } from "../../base/async.ts";
import { liveness, type ServerLink } from "./server-link.ts";

type ConnectionUse = {
  /** Called for each new connection: listens, or takes the lock. */
  opened: (client: Client) => Promise<void>;
  heard?: (payload: string) => void;
};

/** How often we look whether the server is still there, in milliseconds. */
const lookMs = 5_000;
/** Pause before a lost connection is made again, in milliseconds. */
const pauseMs = 250;

export class KeptConnection {
  readonly #link: ServerLink;
  readonly #use: ConnectionUse;
  readonly #closing = new AbortController();
  #client: Client | undefined;
  #kept: Promise<void> | undefined;

  constructor(link: ServerLink, use: ConnectionUse) {
    this.#link = link;
    this.#use = use;
  }

  /** Rejects if the first connection fails; one that is lost later is made again until `close`. */
  async open(): Promise<void> {
    const { lost } = await this.#connect();
    this.#kept = this.#keep(lost);
  }

  /** As `open`, in the background: also the first one is tried until there is one. */
  keep(): void {
    this.#kept = this.#keep();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#kept;
  }

  async #keep(first?: Promise<void>): Promise<void> {
    await first;
    while (!this.#closing.signal.aborted) {
      const made = await this.#connect().catch(() => undefined);
      await (made?.lost ?? sleep(pauseMs, this.#closing.signal).catch(() => undefined));
    }
  }

  /** Resolves once it is in use, with a promise that resolves when it is lost. */
  async #connect(): Promise<{ lost: Promise<void> }> {
    const client = this.#link.client();
    const lost = Promise.withResolvers<void>();
    const looking = setInterval(() => {
      client.query("SELECT 1").catch(() => void client.end().catch(() => undefined));
    }, lookMs).unref();
    client.on("error", () => lost.resolve());
    client.on("end", () => lost.resolve());
    client.on("notification", ({ payload }) => payload !== undefined && this.#use.heard?.(payload));
    void lost.promise.then(() => clearInterval(looking));
    try {
      await client.connect();
      this.#client = client;
      await client.query(liveness);
      await this.#use.opened(client);
    } catch (error) {
      lost.resolve();
      await client.end().catch(() => undefined);
      throw error;
    }
    if (this.#closing.signal.aborted) await client.end();
    return { lost: lost.promise };
  }
}
