/** The working subagents of a session: limits how many run at once, and sums up what they use. */

import { Slots } from "../../base/slots.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import { subagentBounds } from "./bounds.ts";

/** What one subagent has used so far. */
type ChildUsage = Pick<SessionState, "usage" | "cost">;

export class ChildrenPlaces extends Slots {
  readonly #working = new Set<() => ChildUsage>();

  constructor(most: number = subagentBounds.together.most) {
    super(most);
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
}
