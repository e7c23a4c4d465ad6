/** The stored facts of sessions, read and encoded once for all followers that catch up at the same time. */

import { encodeEntry } from "../protocol/codec.ts";
import type { Entry } from "../protocol/facts.ts";
import { followedPage } from "../session/pages.ts";
import type { Store } from "../session/store.ts";

/** Pages of a session's facts kept for followers that catch up with it at the same time. */
const mostSharedPages = 8;
/** Facts of such a page. */
const mostSharedFacts = 128;

/** Facts in order, without gaps. */
export class HistoryPage {
  readonly entries: readonly Entry[];
  #texts: readonly string[] | undefined;

  constructor(entries: readonly Entry[]) {
    this.entries = entries;
  }

  /** Each fact as JSON. */
  get texts(): readonly string[] {
    return (this.#texts ??= this.entries.map(encodeEntry));
  }

  /** The number of the last fact. */
  get last(): number {
    return this.entries.at(-1)?.seq ?? 0;
  }

  upTo(seq: number): HistoryPage {
    return seq >= this.last ? this : new HistoryPage(this.entries.filter((entry) => entry.seq <= seq));
  }
}

/** By the number of the fact before a page: the page, as it was when it was read first. */
type HistoryPages = Map<number, Promise<HistoryPage | undefined>>;
type SharedPages = { pages: HistoryPages; followers: number };

export class SharedHistory {
  readonly #store: Pick<Store, "read">;
  /** Of sessions that somebody catches up with now. */
  readonly #shared = new Map<string, SharedPages>();
  #handedOut: Promise<void> = Promise.resolve();

  constructor(store: Pick<Store, "read">) {
    this.#store = store;
  }

  /** The facts after `after`, as far as they are stored. Between two pages, whoever wants them, the thread is free. */
  async *pages(id: string, after: number): AsyncGenerator<HistoryPage, void> {
    const shared = this.#shared.get(id) ?? { pages: new Map(), followers: 0 };
    this.#shared.set(id, shared);
    shared.followers += 1;
    try {
      for (let cursor = after; ;) {
        const page = await this.#page(shared.pages, id, cursor);
        if (!page) return;
        await this.#turn();
        cursor = page.last;
        yield page;
      }
    } finally {
      shared.followers -= 1;
      if (shared.followers === 0) this.#shared.delete(id);
    }
  }

  /** What was not there yet is looked for again by the next one who asks. */
  #page(pages: HistoryPages, id: string, after: number): Promise<HistoryPage | undefined> {
    const known = pages.get(after);
    if (known) return known;
    const read = this.#read(id, after);
    pages.set(after, read);
    const forget = (): void => void pages.delete(after);
    read.then((page) => page ?? forget(), forget);
    for (const oldest of pages.keys()) if (pages.size > mostSharedPages) pages.delete(oldest);
    return read;
  }

  async #read(id: string, after: number): Promise<HistoryPage | undefined> {
    const entries = await this.#store.read(id, after, { ...followedPage, facts: mostSharedFacts });
    return entries.length === 0 ? undefined : new HistoryPage(entries);
  }

  #turn(): Promise<void> {
    this.#handedOut = this.#handedOut.then(() => new Promise((free) => void setImmediate(free)));
    return this.#handedOut;
  }
}
