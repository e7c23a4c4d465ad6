/** What a command may reach under Landlock, as a list of places: whatever is not on it, the kernel refuses. */

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "../../../base/paths.ts";
import { entriesIn, realPath, statusOf } from "../../on-disk.ts";
import { heldPlaces, placesWithin } from "../held-places.ts";
import type { SandboxMount } from "../mounts.ts";
import { emptiedTrees, lostPlaces } from "../plan.ts";
import type { CheckedRequest } from "../request.ts";
import type { IndexedPlaces } from "../workspace-index.ts";
import type { AccessRule } from "./helper.ts";

/** linux/landlock.h */
const right = {
  run: 1 << 0,
  writeFile: 1 << 1,
  readFile: 1 << 2,
  readDirectory: 1 << 3,
  makeDevices: (1 << 6) | (1 << 11),
  refer: 1 << 13,
  truncate: 1 << 14,
  deviceControl: 1 << 15,
};
const reading = right.run | right.readFile | right.readDirectory;
const ofFiles = right.run | right.writeFile | right.readFile | right.truncate | right.deviceControl;

/** The oldest version with which a file that may only be read cannot be emptied either (Linux 6.2). */
export const oldestVersion = 3;
/** The first with which signals stay in the domain (Linux 6.12). */
export const signalsVersion = 6;

/** All rights of files that this version of the interface knows, of those that we know. */
const rightsIn = (version: number): number =>
  version < 5 ? (right.truncate << 1) - 1 : (right.deviceControl << 1) - 1;

/** Connecting and binding over TCP, which is never granted, and the scopes of abstract sockets and signals. */
export function rulesetFor(version: number): Uint8Array {
  const words = [rightsIn(version), ...(version < 4 ? [] : [3]), ...(version < signalsVersion ? [] : [3])];
  return new Uint8Array(BigUint64Array.from(words, BigInt).buffer);
}

type GrantFacts = {
  version: number;
  found: IndexedPlaces;
  masks: readonly SandboxMount[];
  /** Git directories that the command may write. */
  git: readonly string[];
  /** Directories of its own that it may write, and those that it may read. */
  own: { writable: readonly string[]; readable: readonly string[] };
};

export function grantsFor(request: CheckedRequest, facts: GrantFacts): AccessRule[] {
  const { profile, workspace, home, stateDir, terminal } = request;
  const { version, found, masks, git, own } = facts;
  const emptied = emptiedTrees().map((path) => realPath(path) ?? path);
  const hidden = [...masks.filter(({ kind }) => kind !== "writable").map(({ path }) => path), stateDir];
  const shown = masks.filter(({ kind }) => kind === "writable").map(({ path }) => path);
  const lost = lostPlaces(request, found, emptied).map((path) => realpathSync.native(path));
  const readable = [
    ...around("/", [...hidden, ...emptied, "/dev"]),
    ...[workspace, home, ...lost].flatMap((root) =>
      around(
        root,
        hidden.filter((path) => !isWithin(path, root)),
      ),
    ),
    ...shown,
    ...own.readable,
  ];
  const writable =
    profile === "read"
      ? []
      : profile === "git"
        ? [workspace, ...git]
        : aroundProtected(request, found, hidden);
  const all = rightsIn(version) & ~right.makeDevices;
  return [
    ...readable.flatMap(granting(reading)),
    ...granting(right.readDirectory)(workspace),
    ...writable.flatMap(granting(all & ~reading)),
    ...own.writable.flatMap(granting(all)),
    ...[...devices, ...(terminal ? [ownTerminal] : [])].flatMap(granting(all)),
  ];
}

const devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
/** Not /dev/pts: other programs' terminals are there, and what is typed into them. */
const ownTerminal = "/dev/tty";

/** A rule for a file must not have rights of directories. */
const granting =
  (rights: number) =>
  (path: string): AccessRule[] => {
    const status = statusOf(path);
    if (status === undefined) return [];
    const granted = status.isDirectory() ? rights : rights & ofFiles;
    return granted === 0 ? [] : [{ path, rights: granted }];
  };

/**
 * A rule holds for everything below a directory, and nothing can be taken out of it again. So what has a hole somewhere
 * below it is granted child by child; what appears there later is not granted.
 */
export function around(root: string, holes: readonly string[]): string[] {
  if (holes.some((hole) => isWithin(hole, root))) return [];
  const within = holes.filter((hole) => isWithin(root, hole));
  if (within.length === 0) return [root];
  return entriesIn(root)
    .filter((entry) => !entry.isSymbolicLink())
    .flatMap((entry) => around(join(root, entry.name), within));
}

function aroundProtected(request: CheckedRequest, found: IndexedPlaces, hidden: readonly string[]): string[] {
  const { workspace } = request;
  const items = [...found.git, ...found.protected].flatMap(({ path, kind }) => {
    const target = kind === "link" ? realPath(path) : undefined;
    return target === undefined || target === workspace ? [path] : [path, target];
  });
  const held = placesWithin(heldPlaces(request.held ?? []), request)
    .filter(({ as }) => as !== "way")
    .map(({ path }) => path);
  const holes = [...items, ...held, ...hidden];
  return around(
    workspace,
    holes.filter((path) => !isWithin(path, workspace)),
  );
}
