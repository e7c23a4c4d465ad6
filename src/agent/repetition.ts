/** Detects repetition: the same call with the same result, and no change in between. */

import { sha256 } from "../base/crypto.ts";
import { isObject } from "../base/json.ts";
import type { CallState, SessionState, TurnState } from "../protocol/session-state.ts";

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

const hashOf = (value: unknown): string => sha256(new TextEncoder().encode(JSON.stringify(value, inOrder)));

/** Sorts keys: the order of arguments does not matter. */
const inOrder = (_: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Counted up to the call `next`. A cache only: it can be rebuilt from the state. */
type Tally = { next: number; last: Map<string, { whole: string; count: number }>; most: number };

const tallies = new WeakMap<TurnState, Tally>();

/** How often the turn made one and the same call with the same result, without a file change in between. */
export function mostRepeated(turn: TurnState, state: SessionState): number {
  const tally = tallies.get(turn) ?? { next: 0, last: new Map(), most: 0 };
  tallies.set(turn, tally);
  for (; tally.next < turn.callIds.length; tally.next += 1) {
    const known = state.calls.get(turn.callIds[tally.next] ?? "");
    if (!known) continue;
    if (hasChanged(known)) tally.last.clear();
    else count(tally, keyOf(known, state));
  }
  return tally.most;
}

function count(tally: Tally, key: CallKey | undefined): void {
  if (!key) return;
  const last = tally.last.get(key.asked);
  const times = last?.whole === key.whole ? last.count + 1 : 1;
  tally.last.set(key.asked, { whole: key.whole, count: times });
  tally.most = Math.max(tally.most, times);
}

export const hasChanged = ({ applied }: CallState): boolean => (applied?.changes.length ?? 0) > 0;
