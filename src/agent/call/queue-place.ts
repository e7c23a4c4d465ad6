/** Where a call stands in its step's queue, and whether it may be decided on before its turn. */

import type { Access } from "../../base/turnstile.ts";
import type { Does } from "../../protocol/facts.ts";

/** The properties of a call that matter here. */
export type CallNature = {
  does: Does;
  /** A command that was understood and only reads. */
  onlyReads: boolean;
  /** The call keeps running in a terminal after its result. */
  lasts: boolean;
  /** The call types into a terminal. */
  types: boolean;
  /** An extension checks the call before it runs. */
  isGuarded: boolean;
};

/**
 * Queued or running calls whose outcome later ones may depend on. `undecided`: changes and commands that are
 * decided on only when their turn comes.
 */
type Ahead = { exclusive: number; undecided: number; questions: number; isPlanning: boolean };

export type QueuePlace = {
  access: Access;
  /** The call is decided and asked about before its turn comes. */
  isDecidedEarly: boolean;
};

export const placeInQueue = (call: CallNature, ahead: Ahead): QueuePlace => ({
  access: isExclusive(call) ? "exclusive" : "shared",
  isDecidedEarly: isDecidedEarly(call, ahead),
});

/** A read-only command runs where nothing can be changed; calls on a terminal must run one after the other. */
function isExclusive({ does, onlyReads, lasts, types, isGuarded }: CallNature): boolean {
  if (types) return true;
  if (does === "read") return false;
  return !onlyReads || lasts || isGuarded;
}

function isDecidedEarly({ does, types, isGuarded }: CallNature, ahead: Ahead): boolean {
  // A reply may change the call's purpose; plan mode's denials need not wait for it.
  if (ahead.questions > 0 && !ahead.isPlanning) return false;
  if (ahead.exclusive === 0) return true;
  // People are asked in call order; reads rarely need a question, so they hold up no other call.
  if (ahead.undecided > 0) return false;
  // Calls ahead may change which program reads typed text; extensions must see the files as those calls left them.
  return does === "execute" && !types && !isGuarded;
}
