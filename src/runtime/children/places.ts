/** The subagents of a session that work now: as many as may at once, and what they have used up together. */

import { bounds } from "../../base/bounds.ts";
import type { SessionState } from "../../protocol/session-state.ts";

/** What one of them has come to so far. */
type Used = Pick<SessionState, "usage" | "cost">;

export class ChildrenPlaces {
  readonly #most: number;
  #taken = 0;
  #waiting: (() => void)[] = [];
  readonly #working = new Set<() => Used>();

  constructor(most: number = bounds.subagents.together.most) {
    this.#most = most;
  }

  /** Waits for a place, first come, first served; call what it gives to leave it. Rejects on abort. */
  take(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener("abort", giveUp);
        this.#taken += 1;
        resolve(() => this.#leave());
      };
      const giveUp = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== enter);
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      if (this.#taken < this.#most) return enter();
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(enter);
    });
  }

  /** Counts what it uses up until the call of what it gives. */
  count(used: () => Used): () => void {
    this.#working.add(used);
    return () => void this.#working.delete(used);
  }

  /** Of all that work now: dollars, and tokens of prompts and answers. */
  used(): { cost: number; tokens: number } {
    const sum = { cost: 0, tokens: 0 };
    for (const one of this.#working) {
      const { cost, usage } = one();
      sum.cost += cost;
      sum.tokens += usage.inputTokens + usage.outputTokens;
    }
    return sum;
  }

  #leave(): void {
    this.#taken -= 1;
    this.#waiting.shift()?.();
  }
}
