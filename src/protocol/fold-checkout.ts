/** Folds what is stored of a checkout's work, and what is not. */

import type { ChangedFile, FactOf } from "./facts.ts";

/** The part of a session's state that is about its checkout, if it has one. */
type WithCheckout = { checkout?: CheckoutState };

/**
 * `stored`: how often its work was. `kept`: the last time. `triedAt`: the fact that tells that it was, or why it could
 * not be. `changedAt`: the fact after which files may have changed. `unstored`: paths that have changed since the work was
 * stored.
 */
export type CheckoutState = {
  source: NonNullable<FactOf<"session-start">["checkout"]>;
  stored: number;
  kept?: { commit: string; hash: string };
  problem?: string | undefined;
  triedAt: number;
  changedAt: number;
  unstored: Set<string>;
};

export const beginCheckout = (source: CheckoutState["source"]): CheckoutState => ({
  source,
  stored: 0,
  triedAt: 0,
  changedAt: 0,
  unstored: new Set(),
});

export function workChanged(
  { checkout }: WithCheckout,
  { seq, changes }: { seq: number; changes: readonly ChangedFile[] },
): void {
  if (!checkout) return;
  checkout.changedAt = seq;
  for (const { path } of changes) checkout.unstored.add(path);
}

export function workKept(
  { checkout }: WithCheckout,
  { seq, commit, hash, problem }: FactOf<"work-kept"> & { seq: number },
): void {
  if (!checkout) return;
  checkout.triedAt = seq;
  checkout.problem = problem;
  if (hash === undefined || commit === undefined) return;
  if (hash !== checkout.kept?.hash) checkout.stored += 1;
  checkout.kept = { commit, hash };
  checkout.unstored.clear();
}

/** Whether something may have changed that is not stored. */
export const hasUnstored = ({ changedAt, triedAt, problem }: CheckoutState): boolean =>
  changedAt > triedAt || problem !== undefined;
