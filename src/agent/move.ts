/** What a turn may do next when no call is open. */

import type { Fact, FactOf } from "../protocol/facts.ts";

/** `tell`: facts that go into the log, and then the next move. `compact`: what the model is told is shortened. */
export type Move =
  | { type: "ask" }
  | { type: "compact"; because: FactOf<"compaction">["because"] }
  | { type: "wait" }
  | { type: "tell"; facts: Fact[] }
  | { type: "finish"; stopped: "done" | "failed" | "limit"; because?: string; advice?: string | undefined };
