/** The working subagents of a session: limits how many run at once, and sums up what they use. */

import type { SessionState } from "../../protocol/session-state.ts";
import { subagentBounds } from "./bounds.ts";

/** What one subagent has used so far. */
type ChildUsage = Pick<SessionState, "usage" | "cost">;

export class ChildrenPlaces {
  readonly #most: number;
  #taken = 0;
  #waiting: (() => void)[] = [];
  readonly #working = new Set<() => ChildUsage>();

  constructor(most: number = subagentBounds.together.most) {
    this.#most = most;
  }

  /** Waits for a slot, first come, first served; call the returned function to release it. Rejects on abort. */
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

  /** Counts a subagent's usage until the returned function is called. */
  count(used: () => ChildUsage): () => void {
    this.#working.add(used);
    return () => void this.#working.delete(used);
  }

  /** The total of all working subagents: dollars, and tokens of prompts and answers. */
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
