/** Checks whether a pending action is still what a person was shown. */

import { isDeepStrictEqual } from "node:util";
import type { ChangedFile, FactOf } from "../../protocol/facts.ts";
import { isSameStanding, standingsOf } from "../../protocol/fold-changes.ts";

/** Compares content, kind and mode of each file, before and after. */
export const areSameChanges = (shown: readonly ChangedFile[], now: readonly ChangedFile[]): boolean =>
  shown.length === now.length && shown.every((file, at) => isSameFile(file, now[at]));

function isSameFile(shown: ChangedFile, now: ChangedFile | undefined): boolean {
  if (now?.path !== shown.path) return false;
  const [then, today] = [standingsOf(shown), standingsOf(now)];
  return isSameStanding(then.before, today.before) && isSameStanding(then.after, today.after);
}

type ApprovalFact = FactOf<"approval-asked">;

/** Read by the same program, in the same directory. */
export const isSamePlace = (shown: ApprovalFact["place"], now: ApprovalFact["place"]): boolean =>
  isDeepStrictEqual({ ...shown }, { ...now });
