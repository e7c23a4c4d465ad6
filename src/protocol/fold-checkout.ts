/** Folds what is stored of a checkout's work, and what is not. */

import type { ChangedFile, FactOf } from "./facts.ts";
import type { SessionState } from "./session-state.ts";

/**
 * `stored`: how often its work was. `kept`: the last time. `changedAt`: the fact after which files may have changed.
 * `unstored`: paths that have changed since the work was stored.
 */
export type CheckoutState = {
  source: NonNullable<FactOf<"session-start">["checkout"]>;
  stored: number;
  kept?: FactOf<"work-kept"> & { seq: number };
  changedAt: number;
  unstored: Set<string>;
};

export function workChanged(
  { checkout }: SessionState,
  { seq, changes }: { seq: number; changes: readonly ChangedFile[] },
): void {
  if (!checkout) return;
  checkout.changedAt = seq;
  for (const { path } of changes) checkout.unstored.add(path);
}

export function workKept({ checkout }: SessionState, entry: FactOf<"work-kept"> & { seq: number }): void {
  if (!checkout) return;
  checkout.kept = entry;
  if (entry.hash === undefined) return;
  checkout.stored += 1;
  checkout.unstored.clear();
}
