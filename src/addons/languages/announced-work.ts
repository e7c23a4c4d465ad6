/** Work that a server has announced: it counts until its end is told, and not for ever. */

import { bounds } from "../../base/bounds.ts";

const { works, silentWork } = bounds.languages;

export class AnnouncedWork {
  readonly #now: () => number;
  /** When something was heard of each last. */
  readonly #heard = new Map<string, number>();
  #wasAny = false;

  /** `now`: milliseconds that only grow. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether there was ever any. */
  get wasAny(): boolean {
    return this.#wasAny;
  }

  /** Of which nothing is heard for long, was forgotten by the server. */
  isUnderWay(): boolean {
    const now = this.#now();
    for (const [token, heard] of this.#heard) if (now - heard > silentWork.most) this.#heard.delete(token);
    return this.#heard.size > 0;
  }

  /** As `$/progress` tells it. */
  told(token: string, kind: unknown): void {
    if (kind === "end") this.#heard.delete(token);
    else if (this.#heard.has(token)) this.#heard.set(token, this.#now());
    else if (kind === "begin" && this.#heard.size < works.most) {
      this.#heard.set(token, this.#now());
      this.#wasAny = true;
    }
  }
}
