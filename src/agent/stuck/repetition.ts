/** Detects repetition: the same call with the same result, and no change in between. */

import { sha256 } from "../../base/crypto.ts";
import { jsonInOrder } from "../../base/json.ts";
import type { CallState, SessionState } from "../../protocol/session-state.ts";

/** `asked` identifies the call alone, `whole` the call with its result. */
type CallKey = { asked: string; whole: string };

const keys = new WeakMap<CallState, CallKey>();

/** Undefined if the result is no longer known, or never was. */
export function keyOf(known: CallState, { trimmed }: Pick<SessionState, "trimmed">): CallKey | undefined {
  const { call, result } = known;
  if (!result || result.content.length === 0 || trimmed.has(call.id)) return undefined;
  const made = keys.get(known);
  if (made) return made;
  const asked = hashOf([call.name, call.input]);
  const key = { asked, whole: hashOf([asked, result.outcome, result.content]) };
  keys.set(known, key);
  return key;
}

/** The order of arguments does not matter. */
const hashOf = (value: unknown): string => sha256(new TextEncoder().encode(jsonInOrder(value)));

export const hasChanged = ({ applied }: CallState): boolean => (applied?.changes.length ?? 0) > 0;
