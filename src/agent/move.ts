/** The moves a turn can make when no call is open. */

import type { Fact, FactOf } from "../protocol/facts.ts";

/**
 * `tell`: append facts to the log, then decide again. `compact`: shorten the prompt. `blame: "model"`: another model may
 * fare better.
 */
export type Move =
  | { type: "ask" }
  | { type: "compact"; because: FactOf<"compaction">["because"] }
  | { type: "wait" }
  | { type: "tell"; facts: Fact[] }
  | {
      type: "finish";
      stopped: "done" | "failed" | "limit";
      because?: string;
      advice?: string | undefined;
      blame?: "model";
    };

export type Finish = Extract<Move, { type: "finish" }>;
