/** After a command, quarantines and reports any new file that would be executed outside the sandbox. */

import { lstatSync, realpathSync, symlinkSync } from "node:fs";
import { basename, dirname, isAbsolute, relative } from "node:path";
import { isWithin } from "../../base/paths.ts";
import { linkTarget } from "../on-disk.ts";
import { ledToByGit } from "./git-led.ts";
import { type ControlState, controlState, suspicious } from "./git-watch.ts";
import { isPlainRepository, readPlain } from "./plain-repository.ts";
import { mayStay } from "./protected-places.ts";
import { type Quarantine, quarantineIn } from "./quarantine.ts";
import type { Checked } from "./request.ts";
import { socketsInWorkspace } from "./sockets.ts";
import type { IndexedPlaces, Item, WorkspaceIndex } from "./workspace-index.ts";

export type Guard = {
  check(): string[];
  /** Sockets in the workspace that were not there before the command; none over a layer, which hides them. */
  newSockets(): string[];
};

type Before = {
  /** Directory identity and name, so that an item is recognised even after its directory has moved. */
  places: ReadonlySet<string>;
  identities: ReadonlySet<string>;
  links: readonly { item: Item; target: string }[];
  git: readonly { directory: string; state: ControlState }[];
  /** What git's settings lead to, but was not there. */
  awaited: readonly string[];
};

const nothing: Guard = { check: () => [], newSockets: () => [] };

type Guarded = {
  found: IndexedPlaces;
  index: WorkspaceIndex;
  /** The git directories that the command may write. */
  git: readonly string[];
  /** The command cannot write to the workspace itself: planted files are found in its layer. */
  isLayered?: boolean;
};

/** Mounts protect what existed before the command; this guard finds what the command added. */
export function guardWorkspace(request: Checked, { found, index, git, isLayered = false }: Guarded): Guard {
  if (request.profile === "read") return nothing;
  const before = remember(request, found, git);
  const quarantine = quarantineIn(request.stateDir, request.workspace);
  const seesNone = isLayered || request.profile === "open";
  const sockets = new Set(seesNone ? [] : socketsInWorkspace(found));
  let seen: IndexedPlaces | undefined;
  return {
    newSockets() {
      if (seesNone) return [];
      seen = index.look();
      return socketsInWorkspace(seen).filter((path) => !sockets.has(path));
    },
    check() {
      // The command has ended: nothing of it appears after the look for its sockets.
      const planted = isLayered ? [] : plantedItems(before, seen ?? index.look());
      seen = undefined;
      const parts = before.git.flatMap(({ directory, state }) => suspicious(directory, state));
      const paths = [...planted.map(({ path }) => path), ...parts, ...before.awaited.filter(isThere)];
      if (request.profile === "open") return paths.map((path) => openWarning(shown(request, path)));
      const moved = paths.map((path) => movedWarning(shown(request, path), quarantine.moveAway(path)));
      if (isLayered) return moved;
      return [...moved, ...before.links.flatMap((link) => restoreLink(link, request, quarantine))];
    },
  };
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function remember(request: Checked, found: IndexedPlaces, git: readonly string[]): Before {
  const { profile, workspace } = request;
  const items = [...found.protected, ...found.git];
  const opened = found.git.filter(({ path, kind }) => kind === "directory" && dirname(path) === workspace);
  const directories = profile === "open" ? opened.map(({ path }) => path) : git;
  return {
    places: new Set(items.map(placeOf)),
    identities: new Set(items.map(({ identity }) => identity)),
    links: items
      .filter(({ kind }) => kind === "link")
      .map((item) => ({ item, target: linkTarget(item.path) ?? "" })),
    git: directories.map((directory) => ({ directory, state: controlState(directory) })),
    awaited: ledToByGit(request, found).filter((path) => !isThere(path)),
  };
}

const placeOf = ({ parent, path }: Item): string => `${parent}/${basename(path)}`;

/** Anything that existed before was a mount: it cannot have been replaced, only moved along with its directory. */
function plantedItems({ places, identities }: Before, now: IndexedPlaces): Item[] {
  const isNew = (item: Item): boolean => !places.has(placeOf(item)) && !identities.has(item.identity);
  const repositories = now.git.filter((item) => isNew(item) && !isHarmlessGit(item, now));
  return [...now.protected.filter((item) => isNew(item) && !isHarmlessPlace(item)), ...repositories];
}

const isHarmlessPlace = ({ kind, path }: Item): boolean => kind === "file" && mayStay(path, path);

function isHarmlessGit({ kind, path }: Item, now: IndexedPlaces): boolean {
  if (kind === "directory") return isPlainRepository(path);
  if (kind !== "file") return false;
  const named = /^gitdir: (.+)\n?$/.exec(readPlain(path) ?? "")?.[1];
  if (named === undefined) return false;
  try {
    // Resolved as git does it: "a/.." is not the parent of "a" if "a" is a link.
    const target = realpathSync.native(isAbsolute(named) ? named : `${dirname(path)}/${named}`);
    return now.git.some((other) => other.kind === "directory" && isWithin(other.path, target));
  } catch {
    return false;
  }
}

/** A link cannot be a mount. One that was retargeted or removed is restored. */
function restoreLink(
  { item, target }: Before["links"][number],
  request: Checked,
  quarantine: Quarantine,
): string[] {
  if (linkTarget(item.path) === target) return [];
  if (lstatSync(dirname(item.path), { throwIfNoEntry: false }) === undefined) return [];
  const isThere = lstatSync(item.path, { throwIfNoEntry: false }) !== undefined;
  const moved = isThere ? quarantine.moveAway(item.path) : undefined;
  const name = shown(request, item.path);
  try {
    symlinkSync(target, item.path);
  } catch {
    return [`${name}, a protected link, was changed by the command and could not be put back. Look at it.`];
  }
  return [linkWarning(name, moved)];
}

export function linkWarning(name: string, moved: string | undefined): string {
  const replaced = moved === undefined ? "" : `; what stood in its place is now ${moved}`;
  return `${name}, a protected link, was changed by the command and has been put back${replaced}.`;
}

const shown = ({ workspace }: Checked, path: string): string =>
  isWithin(workspace, path) ? relative(workspace, path) : path;

export function socketWarning({ workspace }: Checked, path: string): string {
  return `${relative(workspace, path)}, a socket of a program outside the sandbox, appeared while the command ran, which could reach it.`;
}

export function movedWarning(name: string, to: string | undefined): string {
  return to === undefined
    ? `${name} was made by the command, would make programs run outside the sandbox, and could not be moved away. Look at it before you go on.`
    : `${name} was made by the command and would make programs run outside the sandbox: it was moved to ${to}. A person may move it back.`;
}

export function openWarning(name: string): string {
  return `${name} was made or changed by the command; what it says can make programs run outside the sandbox.`;
}
