/** Where a call stands in the queue of its step, and whether it may be looked at before its turn comes. */

import type { Access } from "../base/turnstile.ts";
import type { Does } from "../protocol/facts.ts";

/** What of a call matters here. */
export type CallNature = {
  does: Does;
  /** A command that is understood, and only reads. */
  onlyReads: boolean;
  /** It goes on in a terminal when its result is there. */
  lasts: boolean;
  /** It types into a terminal. */
  types: boolean;
  /** An extension wants to see it before it runs. */
  isGuarded: boolean;
};

/**
 * How many calls are queued or running whose outcome those behind them may depend on. `unconsidered`: changes and
 * commands that are looked at only when their turn comes.
 */
type Ahead = { exclusive: number; unconsidered: number; questions: number; isPlanning: boolean };

export type QueuePlace = {
  access: Access;
  /** It is decided, and asked about, before its turn comes. */
  isConsideredEarly: boolean;
};

export const placeInQueue = (call: CallNature, ahead: Ahead): QueuePlace => ({
  access: isExclusive(call) ? "exclusive" : "shared",
  isConsideredEarly: isConsideredEarly(call, ahead),
});

/** A command that only reads runs where nothing can be changed; on a terminal one follows the other. */
function isExclusive({ does, onlyReads, lasts, types, isGuarded }: CallNature): boolean {
  if (types) return true;
  if (does === "read") return false;
  return !onlyReads || lasts || isGuarded;
}

function isConsideredEarly({ does, types, isGuarded }: CallNature, ahead: Ahead): boolean {
  // A reply may change what the call is about; what plan mode denies waits for nobody.
  if (ahead.questions > 0 && !ahead.isPlanning) return false;
  if (ahead.exclusive === 0) return true;
  // People are asked in the order of the calls; a read is seldom asked about, and holds nobody back.
  if (ahead.unconsidered > 0) return false;
  // Who takes what is typed, the calls ahead may change; extensions look at the files as those have left them.
  return does === "execute" && !types && !isGuarded;
}
