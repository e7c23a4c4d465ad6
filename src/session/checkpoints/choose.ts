/** Selects the turn and the changes that undo, redo, keep and review apply to. */

import { type Expected, refuse } from "../../base/expected.ts";
import { type Status, statusOf, type Trail, trailsOf } from "../../protocol/fold-changes.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import { uncoveredSentence } from "../../protocol/uncovered-changes.ts";

export type Which = { turn?: number; paths?: readonly string[] };
export type TrailSelection = { turn: number; trails: Trail[] };

/** The statuses an operation accepts, and its name for messages: "to take back". */
type Purpose = { statuses: readonly Status[]; purpose: string; whileOpen?: true };

const words: Readonly<Record<Status, string>> = {
  pending: "are in force",
  partial: "were taken back in part",
  undone: "were taken back already",
  kept: "were kept for good",
};

/** The newest turn with such changes if none is named; a problem is one line. */
export function choose(state: SessionState, which: Which, verb: Purpose): Expected<TrailSelection> {
  const fits = (trail: Trail): boolean => verb.statuses.includes(statusOf(trail));
  const turn =
    which.turn ??
    state.turns.findLast(({ turn: number }) => trailsOf(state.changes, number).some(fits))?.turn;
  if (turn === undefined) return refuse(`There are no changes ${verb.purpose}.${uncoveredSentence(state)}`);
  if (!state.turns.some((known) => known.turn === turn)) return refuse(`There is no request ${turn}.`);
  const all = trailsOf(state.changes, turn);
  const uncovered = uncoveredSentence(state, turn);
  if (all.length === 0)
    return refuse(
      `Request ${turn} changed no files${uncovered === "" ? "" : " that can be undone"}.${uncovered}`,
    );
  if (!verb.whileOpen && state.status === "running" && turn === state.turn)
    return refuse("The request is not over. Finish or interrupt it first.");
  const named = selectTrails(all, which.paths);
  if (!named.ok) return refuse(`Request ${turn} did not change ${named.problem}.`);
  const trails = named.value.filter(fits);
  const [first] = named.value;
  if (trails.length === 0 && first)
    return refuse(
      `${subject(turn, which.paths)} ${words[statusOf(first)]}: there is nothing ${verb.purpose}.${uncovered}`,
    );
  return { ok: true, value: { turn, trails } };
}

function subject(turn: number, paths: readonly string[] | undefined): string {
  return paths ? `The changes of request ${turn} to ${paths.join(", ")}` : `The changes of request ${turn}`;
}

/**
 * Includes directories created or deleted above the named paths; the problem is the first path that matches nothing.
 */
function selectTrails(all: readonly Trail[], paths: readonly string[] | undefined): Expected<Trail[]> {
  if (paths === undefined) return { ok: true, value: [...all] };
  const places = paths.map(plainPath);
  const strange = places.findIndex((place) => !all.some(({ path }) => isAt(place, path)));
  if (strange !== -1) return refuse(paths[strange] ?? "");
  const meant = all.filter(({ path }) => places.some((place) => isAt(place, path)));
  const above = all.filter(
    (trail) =>
      !meant.includes(trail) && comesOrGoes(trail) && meant.some(({ path }) => isAt(trail.path, path)),
  );
  return { ok: true, value: [...above, ...meant] };
}

const comesOrGoes = ({ before, left }: Trail): boolean =>
  (before === null && left.at(-1)?.kind === "directory") ||
  (before?.kind === "directory" && left.at(-1) === null);

/** Normalises "./src//a/" to "src/a". */
const plainPath = (path: string): string =>
  path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");

const isAt = (place: string, path: string): boolean =>
  place === "" || path === place || path.startsWith(`${place}/`);
