/** What requests changed that undo cannot take back, in words. */

import { trailsOf } from "./fold-changes.ts";
import type { SessionState } from "./session-state.ts";

export const uncoveredIn = ({ calls }: SessionState, turn: number): string[] =>
  [...calls.values()].flatMap((call) => (call.turn === turn ? (call.applied?.uncovered ?? []) : []));

/** Of the request that undo goes back to, and of those after it that it has nothing of and so passes over. */
export function uncoveredFrom(state: SessionState, turn: number): string[] {
  const later = state.turns.filter((one) => one.turn > turn).map((one) => one.turn);
  const next = later.findIndex((one) => trailsOf(state.changes, one).length > 0);
  const passed = next === -1 ? later : later.slice(0, next);
  return [turn, ...passed].flatMap((one) => uncoveredIn(state, one));
}

/** A sentence to append to the news that there is nothing to undo, or "". */
export function uncoveredSentence(state: SessionState, turn = newestCovered(state)): string {
  const words = uncoveredFrom(state, turn);
  const shown = words.slice(0, mostShown).join("; ");
  const more = words.length > mostShown ? `; and ${words.length - mostShown} more` : "";
  return words.length === 0 ? "" : ` Undo does not cover: ${shown}${more}.`;
}

const mostShown = 5;

const newestCovered = ({ turns, changes }: SessionState): number =>
  turns.findLast(({ turn }) => trailsOf(changes, turn).length > 0)?.turn ?? 0;
