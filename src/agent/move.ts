/** What a turn may do next when no call is open. */
import type { Fact } from "../protocol/facts.ts";

/** `tell`: facts that go into the log, and then the next move. */
export type Move =
  | { type: "ask" }
  | { type: "wait" }
  | { type: "tell"; facts: Fact[] }
  | { type: "finish"; stopped: "done" | "failed" | "limit"; because?: string };
