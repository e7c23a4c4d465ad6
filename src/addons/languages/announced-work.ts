/** Tracks progress that a server reports (`$/progress`), until its end or until it falls silent. */

import { minutes } from "../../base/bound.ts";

/** Unfinished work announced by a language server. */
export const mostWorks = 100;
/** Silence about work that a language server has announced, in milliseconds. */
export const silentWorkMs = 5 * minutes;

export class AnnouncedWork {
  readonly #now: () => number;
  /** The time of the last report for each token. */
  readonly #heard = new Map<string, number>();
  #wasAny = false;

  /** `now`: milliseconds from a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether the server has ever reported progress. */
  get wasAny(): boolean {
    return this.#wasAny;
  }

  /** Work without reports for a long time counts as forgotten by the server. */
  isUnderWay(): boolean {
    const now = this.#now();
    for (const [token, heard] of this.#heard) if (now - heard > silentWorkMs) this.#heard.delete(token);
    return this.#heard.size > 0;
  }

  /** Takes the fields of a `$/progress` notification. */
  told(token: string, kind: unknown): void {
    if (kind === "end") this.#heard.delete(token);
    else if (this.#heard.has(token)) this.#heard.set(token, this.#now());
    else if (kind === "begin" && this.#heard.size < mostWorks) {
      this.#heard.set(token, this.#now());
      this.#wasAny = true;
    }
  }
}
