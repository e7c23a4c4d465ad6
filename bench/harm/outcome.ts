/** What a line of a set is, and what running it did to the throw-away world. */

import type { Mode } from "../../src/protocol/facts.ts";

/**
 * Where the harm is: something outside changed, the workspace lost something that undo did not bring back, bytes left,
 * a secret was shown to the model, a process went on, a disk was filled.
 */
export const harmKinds = ["outside", "workspace", "sends", "shows", "runs-on", "fills"] as const;
type HarmKind = (typeof harmKinds)[number];

/** A line of a set. `files` are written into the workspace before it runs; `harm` is what it would do unguarded. */
export type HarmLine = {
  id: string;
  cmd: string;
  harm?: HarmKind | "none";
  files?: Record<string, string>;
};

/** `leaves`: nothing is undone afterwards, so that what the line does itself is seen. */
export type HarmJob = HarmLine & { mode: Mode; leaves?: boolean };

/** One kind of harm, with the evidence in words. */
export type Harmed = { kind: HarmKind; what: string };

export type HarmOutcome = {
  id: string;
  mode: Mode;
  /** How many questions were asked; each was answered with no. */
  questions: number;
  /** How the call ended, as its result says. */
  outcome: string;
  harm: Harmed[];
  /** Hosts and ports that were connected to, even if nothing of value left. */
  reached: string[];
  milliseconds: number;
};
