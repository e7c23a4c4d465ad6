/** Folds staged changes: shown once, stored under a token, applied at most once (B8). */

import { factBounds } from "./bounds.ts";
import type { ChangedFile, FactOf } from "./facts.ts";

/** `expiresAt` is milliseconds since 1970. */
type StagedChange = { callId: string; changes: readonly ChangedFile[]; expiresAt: number; used: boolean };

/** By token, oldest first. */
export type StagedChanges = Map<string, StagedChange>;

/** How long a token stays valid, in milliseconds. */
export const stagedForMs = factBounds.stagedTime.most;
const mostStaged = factBounds.stagedChanges.most;

/** Adds one, in place; the oldest is dropped if there are too many. */
export function stage(
  staged: StagedChanges,
  { token, callId, changes, expiresAt }: FactOf<"change-staged">,
): void {
  staged.set(token, { callId, changes, expiresAt, used: false });
  for (const oldest of staged.keys()) {
    if (staged.size <= mostStaged) break;
    staged.delete(oldest);
  }
}

export function useUp(staged: StagedChanges, token: string): void {
  const known = staged.get(token);
  if (known) staged.set(token, { ...known, used: true });
}

type Usable = { ok: true; staged: StagedChange } | { ok: false; problem: string };

/** Looks up what may be applied under a token at this time; the problem is one line for the model. */
export function usable(staged: StagedChanges, token: string, now: number): Usable {
  const known = staged.get(token);
  if (!known)
    return refuse(
      `There is no staged change ${JSON.stringify(token.slice(0, 80))} in this session. Stage it anew and use the token that comes back.`,
    );
  if (known.used)
    return refuse("This token was used already: each applies its change once. Stage a new change.");
  if (now >= known.expiresAt)
    return refuse(
      `This token has expired: one holds for ${stagedForMs / 60_000} minutes. Stage the change anew.`,
    );
  return { ok: true, staged: known };
}

const refuse = (problem: string): Usable => ({ ok: false, problem });
