/** After a command, quarantines and reports any new file that would be executed outside the sandbox. */

import { symlinkSync } from "node:fs";
import { basename, dirname, isAbsolute, relative } from "node:path";
import { z } from "zod/mini";
import { isWithin } from "../../base/paths.ts";
import { identityAt, linkTarget, realPath, statusOf } from "../on-disk.ts";
import type { FilledLook } from "./filled-directories.ts";
import { ledToByGit } from "./git-led.ts";
import { type ControlState, controlState, suspicious } from "./git-watch.ts";
import type { Item } from "./indexed-directory.ts";
import { atPlace, resolvedAbove } from "./own-place.ts";
import { isPlainRepository, namedDirectory, readPlain } from "./plain-repository.ts";
import { mayStay } from "./protected-places.ts";
import { type Quarantine, quarantineIn } from "./quarantine.ts";
import type { CheckedRequest } from "./request.ts";
import { socketsInWorkspace } from "./sockets.ts";
import { type IndexedPlaces, indexWorkspace, withFilled, type WorkspaceIndex } from "./workspace-index.ts";

export type Guard = {
  /** `putBack`: what is in its place again, as it was before. */
  check(putBack?: readonly string[]): string[];
  /** Undefined if nothing that the command makes is moved away. */
  before: StateBefore | undefined;
  /** Sockets in the workspace that were not there before the command; none over an overlay, which hides them. */
  newSockets(): string[];
};

/** As JSON, so that the next start can check what a killed Toolwright could not. */
export const beforeCommand = z.object({
  /** Absent over an overlay: planted files are found there. */
  workspace: z.optional(
    z.object({
      /** Directory identity and name, so that an item is recognised even after its directory has moved. */
      places: z.array(z.string()),
      identities: z.array(z.string()),
      links: z.array(z.object({ path: z.string(), target: z.string() })),
      /** What git's settings lead to, but was not there. */
      awaited: z.array(z.string()),
    }),
  ),
  git: z.array(
    z.object({
      directory: z.string(),
      state: z.record(z.string(), z.string()),
      /** Mounted read-only: the path and the identity of each. */
      held: z.array(z.tuple([z.string(), z.string()])),
    }),
  ),
});
type StateBefore = z.infer<typeof beforeCommand>;

const nothing: Guard = { check: () => [], before: undefined, newSockets: () => [] };

type Guarding = Pick<CheckedRequest, "profile" | "workspace" | "stateDir" | "home">;

type GuardInput = {
  found: IndexedPlaces;
  index: WorkspaceIndex;
  /** The git directories that the command may write. */
  git: readonly string[];
  /** What in them is mounted read-only. */
  mounted?: readonly string[];
  /** The command cannot write to the workspace itself: planted files are found in its overlay. */
  isOverlaid?: boolean;
};

/** Mounts protect what existed before the command; this guard finds what the command added. */
export function guardWorkspace(request: Guarding, guarded: GuardInput): Guard {
  if (request.profile === "read") return nothing;
  const { found, index, isOverlaid = false } = guarded;
  const isOpen = request.profile === "open";
  const seesNone = isOverlaid || isOpen;
  const filled = seesNone ? undefined : index.lookIntoFilledNow(found);
  const before = remember(request, guarded, filled);
  const sockets = new Set(seesNone ? [] : socketsInWorkspace(found));
  let seen: IndexedPlaces | undefined;
  return {
    newSockets() {
      if (seesNone) return [];
      seen = index.look();
      return socketsInWorkspace(seen).filter((path) => !sockets.has(path));
    },
    before: isOpen || (isOverlaid && before.git.length === 0) ? undefined : before,
    check(putBack = []) {
      // The command has ended: nothing of it appears after the look for its sockets.
      const told = filled?.tell() ?? [];
      const look = (): IndexedPlaces => {
        const now = seen ?? index.look();
        if (seesNone) return now;
        const inFilled = index.lookIntoFilledNow(now);
        told.push(...inFilled.tell());
        return withFilled(now, inFilled);
      };
      const warnings = isOpen
        ? plantedPaths(before, look).map((path) => openWarning(shownPath(request, path)))
        : moveAway(before, look, request, putBack);
      seen = undefined;
      return [...told, ...warnings];
    },
  };
}

/** What a killed Toolwright could not check. */
export const checkLeft = (
  before: StateBefore,
  context: GuardDirectories,
  putBack: readonly string[],
): string[] => {
  const index = indexWorkspace(context.workspace);
  const look = (): IndexedPlaces => {
    const found = index.look();
    return withFilled(found, index.lookIntoFilledNow(found));
  };
  return moveAway(before, look, context, putBack);
};

type GuardDirectories = Pick<CheckedRequest, "workspace" | "stateDir">;

type LookAround = () => IndexedPlaces;

function moveAway(
  before: StateBefore,
  look: LookAround,
  context: GuardDirectories,
  putBack: readonly string[],
): string[] {
  const roots = [context.workspace, ...before.git.map(({ directory }) => directory)];
  const quarantine = quarantineIn(context.stateDir, roots);
  const moved = plantedPaths(before, look)
    .filter((path) => !putBack.some((one) => isWithin(one, path)))
    .map((path) => ({ path, to: quarantine.moveAway(path) }))
    .filter(({ path, to }) => to !== undefined || isThere(path)) // or another start moved it away
    .map(({ path, to }) => ({ name: shownPath(context, path), to }));
  const { links = [] } = before.workspace ?? {};
  return [...movedWarnings(moved), ...links.flatMap((link) => restoreLink(link, context, quarantine))];
}

const mostTold = 20;

/** What is still there comes first, and whole. */
export function movedWarnings(moved: readonly { name: string; to: string | undefined }[]): string[] {
  const away = moved.filter(({ to }) => to !== undefined);
  const left = away.length - mostTold;
  return [
    ...[...moved.filter(({ to }) => to === undefined), ...away.slice(0, mostTold)].map(({ name, to }) =>
      movedWarning(name, to),
    ),
    ...(left > 0 ? [`${left} more like these were moved to the same place.`] : []),
  ];
}

const plantedPaths = ({ workspace, git }: StateBefore, look: LookAround): string[] => [
  ...(workspace ? plantedItems(workspace, look()).map(({ path }) => path) : []),
  ...git.flatMap(({ directory, state, held }) => {
    const before: ControlState = new Map(Object.entries(state));
    const still = held.filter(([path, identity]) => identityAt(path) === identity).map(([path]) => path);
    return suspicious(directory, before)
      .filter((path) => !still.some((one) => isWithin(one, path)))
      .map((path) => throughOwnLink(path, before));
  }),
  ...(workspace?.awaited.filter(isThere) ?? []),
];

/** Hooks may be elsewhere by a link of the user. */
const throughOwnLink = (path: string, before: ControlState): string =>
  before.get(dirname(path))?.startsWith("link ") === true ? resolvedAbove(path) : path;

const isThere = (path: string): boolean => statusOf(path) !== undefined;

function remember(
  request: Guarding,
  { found, git, mounted = [], isOverlaid = false }: GuardInput,
  filled?: FilledLook,
): StateBefore {
  const { profile, workspace } = request;
  const opened = found.git.filter(({ path, kind }) => kind === "directory" && dirname(path) === workspace);
  const unheld = filled?.git.filter(({ kind }) => kind === "directory").map(({ path }) => path) ?? [];
  const directories = profile === "open" ? opened.map(({ path }) => path) : [...git, ...unheld];
  const all = filled ? withFilled(found, filled) : found;
  return {
    ...(isOverlaid ? {} : { workspace: rememberWorkspace(request, all) }),
    git: directories.map((directory) => ({
      directory,
      state: Object.fromEntries(controlState(directory)),
      held: mounted
        .filter((path) => isWithin(directory, path))
        .map((path): [string, string] => [path, identityAt(path) ?? ""]),
    })),
  };
}

function rememberWorkspace(request: Guarding, found: IndexedPlaces): NonNullable<StateBefore["workspace"]> {
  const items = [...found.protected, ...found.git];
  return {
    places: items.map(placeOf),
    identities: items.map(({ identity }) => identity),
    links: items
      .filter(({ kind }) => kind === "link")
      .map(({ path }) => ({ path, target: linkTarget(path) ?? "" })),
    awaited: ledToByGit(request, found)
      .filter((path) => !isThere(path))
      .map(resolvedAbove),
  };
}

const placeOf = ({ parent, path }: Item): string => `${parent}/${basename(path)}`;

/** Anything that existed before was a mount: it cannot have been replaced, only moved along with its directory. */
function plantedItems(before: NonNullable<StateBefore["workspace"]>, now: IndexedPlaces): Item[] {
  const [places, identities] = [new Set(before.places), new Set(before.identities)];
  const isNew = (item: Item): boolean => !places.has(placeOf(item)) && !identities.has(item.identity);
  const directories = now.git.filter(({ kind }) => kind === "directory");
  const planted = directories.filter((item) => isNew(item) && !isHarmlessRepository(item));
  const known = directories.filter((item) => !planted.includes(item));
  const leading = now.git.filter(
    (item) => item.kind !== "directory" && isNew(item) && !leadsToKnown(item, known),
  );
  return [...now.protected.filter((item) => isNew(item) && !isHarmlessPlace(item)), ...planted, ...leading];
}

const isHarmlessPlace = ({ kind, path }: Item): boolean => kind === "file" && mayStay(path, path);

const isHarmlessRepository = ({ path }: Item): boolean => isPlainRepository(path) && !holdsOthers(path);

function leadsToKnown({ kind, path }: Item, known: readonly Item[]): boolean {
  if (kind !== "file") return false;
  const named = namedDirectory(readPlain(path));
  if (named === undefined) return false;
  // Resolved as git does it: "a/.." is not the parent of "a" if "a" is a link.
  const target = realPath(isAbsolute(named) ? named : `${dirname(path)}/${named}`);
  return target !== undefined && known.some((other) => isWithin(other.path, target));
}

/** A repository is one place for the look at the workspace: what else is in it is seen from its own. */
function holdsOthers(repository: string): boolean {
  const inside = indexWorkspace(repository).look();
  return inside.git.length + inside.protected.length > 0;
}

/** A link cannot be a mount. One that was retargeted or removed is restored. */
function restoreLink(
  { path, target }: NonNullable<StateBefore["workspace"]>["links"][number],
  context: GuardDirectories,
  quarantine: Quarantine,
): string[] {
  if (linkTarget(path) === target && realPath(dirname(path)) === dirname(path)) return [];
  if (!isThere(dirname(path))) return [];
  const moved = isThere(path) ? quarantine.moveAway(path) : undefined;
  const name = shownPath(context, path);
  try {
    if (!isThere(dirname(path))) return [movedWarning(name, moved)];
    atPlace(path, (at) => symlinkSync(target, at));
  } catch {
    return [`${name}, a protected link, was changed by the command and could not be put back. Look at it.`];
  }
  return [linkWarning(name, moved)];
}

export function linkWarning(name: string, moved: string | undefined): string {
  const replaced = moved === undefined ? "" : `; what stood in its place is now ${moved}`;
  return `${name}, a protected link, was changed by the command and has been put back${replaced}.`;
}

const shownPath = ({ workspace }: GuardDirectories, path: string): string =>
  isWithin(workspace, path) ? relative(workspace, path) : path;

export function socketWarning({ workspace }: CheckedRequest, path: string): string {
  return `${relative(workspace, path)}, a socket of a program outside the sandbox, appeared while the command ran, which could reach it.`;
}

function movedWarning(name: string, to: string | undefined): string {
  return to === undefined
    ? `${name} was made by the command, would make programs run outside the sandbox, and could not be moved away. Look at it before you go on.`
    : `${name} was made by the command and would make programs run outside the sandbox: it was moved to ${to}. A person may move it back.`;
}

export function openWarning(name: string): string {
  return `${name} was made or changed by the command; what it says can make programs run outside the sandbox.`;
}
