/**
 * What a command may not change while it runs: files that trusted items run outside the sandbox. They are mounted
 * read-only, and the directories above them are mounts too, which cannot be renamed or exchanged.
 */

import type { Stats } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { isWithin } from "../../base/paths.ts";
import { identityAt, linkTarget, statusOf } from "../on-disk.ts";
import type { SandboxMount } from "./mounts.ts";
import type { CheckedRequest } from "./request.ts";

/**
 * `as`: `file` and `whole` (a directory with everything in it) are read-only; a `way` can be written, but not moved.
 * The identity changes when something else stands at the path: a mount stays with what it was made over.
 */
export type HeldPlace = {
  path: string;
  as: "file" | "whole" | "way";
  identity: string;
  /** Names that the file has; with more than one it could be written through another. */
  links: number;
};

/** Paths are absolute; one that ends in "/" is a directory of which every file counts. Missing ones are left out. */
export function heldPlaces(paths: readonly string[]): HeldPlace[] {
  const places = new Map<string, HeldPlace>();
  for (const path of paths)
    for (const place of placesOf(path)) {
      const known = places.get(place.path);
      if (known === undefined || known.as === "way") places.set(place.path, place);
    }
  return [...places.values()];
}

const mostLinks = 40;

/** From the top down. A link cannot be a mount, so the directory that it is in counts as a whole. */
function placesOf(path: string): HeldPlace[] {
  const places: HeldPlace[] = [];
  let steps = resolve(path).split(sep).filter(Boolean);
  let at: string = sep;
  for (let links = 0; ;) {
    const [name, ...rest] = steps;
    if (name === undefined) return places;
    const next = join(at, name);
    const status = statusOf(next);
    if (!status) return places;
    if (status.isSymbolicLink()) {
      const directory = statusOf(at);
      if (directory) places.push(placeOf(at, "whole", directory));
      links += 1;
      if (links > mostLinks) return places;
      steps = [
        ...resolve(at, linkTarget(next) ?? "")
          .split(sep)
          .filter(Boolean),
        ...rest,
      ];
      at = sep;
      continue;
    }
    const isEnd = rest.length === 0;
    places.push(placeOf(next, !isEnd ? "way" : status.isDirectory() ? "whole" : "file", status));
    [steps, at] = [rest, next];
  }
}

const placeOf = (path: string, as: HeldPlace["as"], status: Stats): HeldPlace => ({
  path,
  as,
  identity: identityAt(path) ?? "",
  links: status.isDirectory() ? 1 : status.nlink,
});

type RequestProfile = Pick<CheckedRequest, "profile" | "workspace">;

/** The places that the command could change if they were not held: with `open` everything. */
export function placesWithin(
  places: readonly HeldPlace[],
  { profile, workspace }: RequestProfile,
): HeldPlace[] {
  const holdable = places.filter((place) => !isAround(place, { workspace }));
  if (profile === "open") return holdable;
  return holdable.filter(({ path }) => isWithin(workspace, path) && path !== workspace);
}

/** Whether it counts as a whole and the workspace is in it: that cannot be held, as the command writes there. */
export const isAround = (
  { path, as }: HeldPlace,
  { workspace }: Pick<RequestProfile, "workspace">,
): boolean => as === "whole" && isWithin(path, workspace);

/** `above` comes before the mount of the workspace, `inside` after it. `merged`: where its overlay is. */
export function heldMounts(
  request: CheckedRequest,
  merged: string | undefined,
): { above: SandboxMount[]; inside: SandboxMount[] } {
  const { held = [], workspace } = request;
  const places = placesWithin(heldPlaces(held), request);
  const whole = places.filter(({ as }) => as === "whole").map(({ path }) => path);
  const isCovered = (path: string): boolean => whole.some((one) => one !== path && isWithin(one, path));
  const mounts = places
    .filter(({ path }) => !isCovered(path))
    .toSorted((one, other) => one.path.length - other.path.length)
    .map(({ path, as }): SandboxMount => {
      if (as !== "way") return { kind: "readable", path };
      const isOverlaid = merged !== undefined && isWithin(workspace, path);
      return {
        kind: "writable",
        path,
        from: isOverlaid ? join(merged, relative(workspace, path)) : undefined,
      };
    });
  const isInside = ({ path }: SandboxMount): boolean => isWithin(workspace, path) && path !== workspace;
  return { above: mounts.filter((mount) => !isInside(mount)), inside: mounts.filter(isInside) };
}
