/** Blobs of an in-memory store: held as long as a fact names them, and for a day while their fact is pending. */

import { sha256 } from "../../base/crypto.ts";
import { hashesIn, looseMs } from "../store-rules.ts";
import type { Hash } from "../store.ts";

export class KeptBlobs {
  readonly #bytes = new Map<Hash, Uint8Array>();
  /** When each blob was stored, for callers whose fact is still to come. */
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

  /** Call for each fact, as it may name blobs. */
  use(text: string): void {
    if (this.#bytes.size > 0) for (const hash of hashesIn(text)) this.#loose.get(hash)?.shift();
  }

  /** `facts` are all remaining facts. */
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
