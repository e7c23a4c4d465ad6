/** One line of `toolwright doctor`. */
import type { BoundRow } from "./doctor-bounds.ts";

export type Finding = {
  check: string;
  state: "ok" | "warn" | "fail";
  words: string;
  /** For programs: the table that the words are about. */
  rows?: readonly BoundRow[];
};
