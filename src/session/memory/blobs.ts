/** The blobs that a store in memory keeps, as long as a fact names them, and a day for who will name them. */

import { sha256 } from "../../base/crypto.ts";
import type { Hash } from "../store.ts";
import { hashesIn, looseMs } from "../stored.ts";

export class KeptBlobs {
  readonly #bytes = new Map<Hash, Uint8Array>();
  /** When it was kept by those whose fact is still to come. */
  readonly #loose = new Map<Hash, number[]>();

  put(bytes: Uint8Array, now: number): Hash {
    const hash = sha256(bytes);
    if (!this.#bytes.has(hash)) this.#bytes.set(hash, bytes.slice());
    this.#loose.set(hash, [...(this.#loose.get(hash) ?? []), now]);
    return hash;
  }

  get(hash: Hash): Uint8Array | undefined {
    return this.#bytes.get(hash)?.slice();
  }

  /** A fact names it. */
  use(text: string): void {
    if (this.#bytes.size > 0) for (const hash of hashesIn(text)) this.#loose.get(hash)?.shift();
  }

  /** `facts` are all that are left. */
  clean(facts: Iterable<readonly string[]>, now: number): void {
    const used = new Set<Hash>();
    for (const texts of facts) for (const text of texts) for (const hash of hashesIn(text)) used.add(hash);
    for (const hash of this.#bytes.keys()) {
      const waits = (this.#loose.get(hash) ?? []).some((kept) => kept > now - looseMs);
      if (used.has(hash) || waits) continue;
      this.#bytes.delete(hash);
      this.#loose.delete(hash);
    }
  }
}
