/** Looks up which changes of a session a person selects. */

import { relative, resolve, sep } from "node:path";
import { type Expected, refuse } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import type { ChangeSelection } from "../../configuration/options/change-selection.ts";
import type { UndoCommand } from "../../protocol/commands.ts";
import { checkpointId, type Status, statusOf, trailsOf } from "../../protocol/fold-changes.ts";
import type { SessionState } from "../../protocol/session-state.ts";

/** The resolved selection for a command; `paths` are workspace-relative, absent for all. */
export type ResolvedSelection = Pick<UndoCommand, "turn" | "paths">;

/** Names the turn if the person did not: by the time of the retry another one may be the newest. */
export const turnAgain = ({ turn }: ChangeSelection, meant: number): string[] =>
  turn === undefined ? [String(meant)] : [];

/**
 * Looks up the turn and makes the paths workspace-relative. Without a turn, takes the newest one whose changes at these
 * paths have one of the statuses, else the newest that changed anything there.
 */
export function whichOf(
  asked: ChangeSelection,
  state: SessionState,
  statuses: readonly Status[],
): Expected<ResolvedSelection> {
  const named = asked.turn === undefined ? undefined : findTurn(asked.turn, state);
  if (named?.ok === false) return named;
  const places = placesOf(asked.paths, state);
  if (!places.ok) return places;
  const paths = places.value;
  const turn = named?.value ?? newestAt(paths, state, statuses) ?? newestAt(paths, state);
  if (turn === undefined && paths)
    return refuse(`No request of session ${state.session} changed ${asked.paths.join(" or ")}.`);
  return { ok: true, value: { turn, paths } };
}

/** Undefined selects everything. */
function placesOf(paths: readonly string[], { workspace }: SessionState): Expected<string[] | undefined> {
  const places = paths.map((path) => placeIn(path, workspace));
  const outside = places.indexOf(undefined);
  if (outside !== -1)
    return refuse(`${paths[outside]} lies outside the workspace of the session (${workspace}).`);
  const inside = places.filter((place) => place !== undefined);
  return { ok: true, value: inside.length === 0 || inside.includes("") ? undefined : inside };
}

/** The newest turn with changes of these statuses, or any, at these paths. */
export function newestAt(
  paths: readonly string[] | undefined,
  { turns, changes }: SessionState,
  statuses?: readonly Status[],
): number | undefined {
  return turns.findLast(({ turn }) =>
    trailsOf(changes, turn).some(
      (trail) => (statuses?.includes(statusOf(trail)) ?? true) && isAmong(trail.path, paths),
    ),
  )?.turn;
}

/** Whether the path is one of the places or lies inside one. */
export const isAmong = (path: string, places: readonly string[] | undefined): boolean =>
  places === undefined || places.some((place) => path === place || path.startsWith(`${place}/`));

function findTurn(wanted: string, state: SessionState): Expected<number> {
  const isNumber = /^\d+$/u.test(wanted);
  const found = state.turns.find(({ turn }) =>
    isNumber ? turn === Number(wanted) : checkpointId(state, turn) === wanted,
  );
  if (found) return { ok: true, value: found.turn };
  const count = state.turns.length;
  const has = count === 0 ? "it has none yet" : count === 1 ? "it has one" : `it has ${count}`;
  return isNumber
    ? refuse(`There is no request ${wanted} in session ${state.session}: ${has}.`)
    : refuse(`There is no checkpoint ${wanted} in session ${state.session}: name its session with --resume.`);
}

/** Workspace-relative; "" for the workspace itself, undefined outside it. */
function placeIn(path: string, workspace: string): string | undefined {
  const absolute = resolve(workspace, path);
  return isWithin(workspace, absolute) ? relative(workspace, absolute).split(sep).join("/") : undefined;
}
