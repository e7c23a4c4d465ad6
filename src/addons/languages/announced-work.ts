/** Tracks progress that a server reports (`$/progress`), until its end or until it falls silent. */

import { minutes } from "../../base/bound.ts";

/** Unfinished work announced by a language server. */
export const mostWorks = 100;
/** Silence about work that a language server has announced, in milliseconds. */
export const silentWorkMs = 5 * minutes;

export class AnnouncedWork {
  readonly #now: () => number;
  /** For each token, what it is called, when it began, and the time of the last report. */
  readonly #works = new Map<string, { title: string; began: number; heard: number }>();
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
    for (const [token, { heard }] of this.#works) if (now - heard > silentWorkMs) this.#works.delete(token);
    return this.#works.size > 0;
  }

  /** The oldest work that is under way: its name, and for how many milliseconds it has gone on. */
  present(): { title: string; ms: number } | undefined {
    const [work] = this.isUnderWay() ? this.#works.values() : [];
    return work && { title: work.title, ms: this.#now() - work.began };
  }

  /** Takes the fields of a `$/progress` notification. */
  told(token: string, kind: unknown, title = "is at work"): void {
    const now = this.#now();
    const known = this.#works.get(token);
    if (kind === "end") this.#works.delete(token);
    else if (known) known.heard = now;
    else if (kind === "begin" && this.#works.size < mostWorks) {
      this.#works.set(token, { title, began: now, heard: now });
      this.#wasAny = true;
    }
  }
}
