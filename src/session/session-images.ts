/** Determines which stored contents a session can still need, and for which owner. */

import type { ChangedFile, Entry } from "../protocol/facts.ts";
import {
  checkpointId,
  inForce,
  statusOf,
  type Trail,
  trailsOf,
  undoableIn,
} from "../protocol/fold-changes.ts";
import type { SessionState } from "../protocol/session-state.ts";
import type { Hash } from "./store.ts";

/** `owner`: a checkpoint, or the token of a staged change. */
type NeededImage = { owner: string; hash: Hash };

/** In a fixed order, each content once per owner. Changes kept for good need none. */
export function neededImages(state: SessionState): NeededImage[] {
  const turns = state.turns.flatMap(({ turn }) => {
    const owner = checkpointId(state, turn);
    const trails = trailsOf(state.changes, turn).filter((trail) => statusOf(trail) !== "kept");
    return [...new Set(trails.flatMap(hashesOfTrail))].map((hash) => ({ owner, hash }));
  });
  const staged = [...state.staged].flatMap(([owner, { changes, used }]) =>
    used ? [] : [...new Set(changes.flatMap(hashesOfChange))].map((hash) => ({ owner, hash })),
  );
  return [...turns, ...staged];
}

function hashesOfTrail(trail: Trail): Hash[] {
  const standings = [trail.before, ...trail.left, ...inForce(trail)].flatMap((standing) => standing ?? []);
  return [
    ...standings.map(({ hash }) => hash),
    ...trail.taken.flatMap(({ change }) => hashesOfChange(change)),
  ];
}

export const hashesOfChange = ({ before, after }: ChangedFile): Hash[] =>
  [before, after].filter((hash) => hash !== null);

/** Every file change in a fact: planned, staged, made or undone. */
export function changesIn(entry: Entry): readonly ChangedFile[] {
  switch (entry.type) {
    case "call-start":
    case "approval-asked":
      return entry.changes ?? [];
    case "change-applied":
      return undoableIn(entry);
    case "change-staged":
    case "changes-undone":
      return entry.changes;
    default:
      return [];
  }
}
