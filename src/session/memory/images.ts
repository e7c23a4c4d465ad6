/** Images of an in-memory store: each content once, with the owners that need it. */

import { sha256 } from "../../base/crypto.ts";
import type { Hash } from "../store.ts";

type ImageOwner = { session: string; hashes: Set<Hash> };

export class KeptImages {
  readonly #maxBytes: number;
  readonly #images = new Map<Hash, { bytes: Uint8Array; owners: number }>();
  /** In order of each owner's last stored image, oldest first. */
  readonly #owners = new Map<string, ImageOwner>();
  #total = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  keep(session: string, owner: string, bytes: Uint8Array): Hash {
    const hash = sha256(bytes);
    const name = nameOf(session, owner);
    const keeper = this.#owners.get(name) ?? { session, hashes: new Set() };
    this.#owners.delete(name);
    this.#owners.set(name, keeper);
    if (!keeper.hashes.has(hash)) {
      keeper.hashes.add(hash);
      this.#add(hash, bytes);
    }
    for (const oldest of this.#owners.keys())
      if (this.#total > this.#maxBytes && oldest !== name) this.#disown(oldest);
    return hash;
  }

  get(session: string, hash: Hash): Uint8Array | undefined {
    const isOfSession = [...this.#owners.values()].some(
      (owner) => owner.session === session && owner.hashes.has(hash),
    );
    return isOfSession ? this.#images.get(hash)?.bytes.slice() : undefined;
  }

  drop(session: string, owner: string): void {
    this.#disown(nameOf(session, owner));
  }

  dropAll(session: string): void {
    for (const [name, owner] of this.#owners) if (owner.session === session) this.#disown(name);
  }

  /** Gives the second owner everything the first one has. */
  copy(from: { session: string; owner: string }, to: { session: string; owner: string }): void {
    const hashes = this.#owners.get(nameOf(from.session, from.owner))?.hashes ?? [];
    for (const hash of hashes) {
      const bytes = this.#images.get(hash)?.bytes;
      if (bytes) this.keep(to.session, to.owner, bytes);
    }
  }

  #add(hash: Hash, bytes: Uint8Array): void {
    const image = this.#images.get(hash) ?? { bytes: bytes.slice(), owners: 0 };
    if (image.owners === 0) this.#total += bytes.length;
    image.owners += 1;
    this.#images.set(hash, image);
  }

  #disown(name: string): void {
    for (const hash of this.#owners.get(name)?.hashes ?? []) {
      const image = this.#images.get(hash);
      if (!image) continue;
      image.owners -= 1;
      if (image.owners > 0) continue;
      this.#images.delete(hash);
      this.#total -= image.bytes.length;
    }
    this.#owners.delete(name);
  }
}

const nameOf = (session: string, owner: string): string => JSON.stringify([session, owner]);
