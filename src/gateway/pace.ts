/** Rate limit of a client: quiet periods accumulate an allowance, which may be used at once. */

import { gatewayBounds } from "./bounds.ts";

/** Requests or frames that a quiet connection saves up. */
const mostSavedMessages = 2_000;

const { messagesPerSecond } = gatewayBounds;

export class RateLimit {
  #saved: number = mostSavedMessages;
  #at = 0;

  /** Whether one more request is allowed. `now`: milliseconds. */
  take(now: number): boolean {
    if (this.#at > 0) this.#save((Math.max(0, now - this.#at) / 1_000) * messagesPerSecond.most);
    this.#at = now;
    if (this.#saved < 1) return false;
    this.#saved -= 1;
    return true;
  }

  #save(messages: number): void {
    this.#saved = Math.min(mostSavedMessages, this.#saved + messages);
  }
}
