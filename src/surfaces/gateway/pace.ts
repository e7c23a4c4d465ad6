/** How often a client may ask: what it saves up while it is quiet may be used at once. */

import { bounds } from "../../base/bounds.ts";

const { messagesPerSecond, savedMessages } = bounds.gateway;

export class Pace {
  #saved: number = savedMessages.most;
  #at = 0;

  /** Whether one more is within bounds. `now`: milliseconds. */
  take(now: number): boolean {
    if (this.#at > 0) this.#save((Math.max(0, now - this.#at) / 1_000) * messagesPerSecond.most);
    this.#at = now;
    if (this.#saved < 1) return false;
    this.#saved -= 1;
    return true;
  }

  #save(messages: number): void {
    this.#saved = Math.min(savedMessages.most, this.#saved + messages);
  }
}
