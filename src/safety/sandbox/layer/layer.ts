/** A layer over the workspace: a command sees the workspace and writes beside it, into a directory of its own. */

import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { randomHex } from "../../../base/crypto.ts";
import { makeDirectorySync } from "../../../base/safe-fs/own-files.ts";
import { ownDirectory } from "../leftovers.ts";
import { removeTreeSoon } from "../remove-tree.ts";

/** How a namespace of mounts is got in which the layer can be made: programs, and the options of `unshare`. */
export type NamespaceTools = {
  unshare: string;
  mount: string;
  /** Only root can do without a user namespace of its own. */
  options: "-m" | "-Urm";
};

export type Layer = {
  way: NamespaceTools;
  /** Of this layer alone, mode 0700; what else is named here lies in it. */
  directory: string;
  workspace: string;
  /** What the command wrote. */
  upper: string;
  /** Where the command's namespace has the workspace as the command sees it. */
  merged: string;
  /** By the file system's clock, in nanoseconds: what is changed later was changed by somebody else meanwhile. */
  started: bigint;
};

const programPlaces = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/** Absolute paths only: a program of this name in a workspace must not be run. */
export function waysToMount(): NamespaceTools[] {
  const [unshare, mount] = ["unshare", "mount"].map((name) =>
    programPlaces.map((place) => join(place, name)).find((path) => existsSync(path)),
  );
  if (unshare === undefined || mount === undefined) return [];
  const options = process.getuid?.() === 0 ? (["-m", "-Urm"] as const) : (["-Urm"] as const);
  return options.map((option) => ({ unshare, mount, options: option }));
}

/** `stateDir` and `workspace` are real paths. */
export function makeLayer(
  way: NamespaceTools,
  { workspace, stateDir }: { workspace: string; stateDir: string },
): Layer {
  const directory = join(ownDirectory(stateDir), `layer-${randomHex(6)}`);
  const [upper, work, merged] = ["upper", "work", "merged"].map((name) => join(directory, name));
  if (upper === undefined || work === undefined || merged === undefined) throw new Error("no places");
  makeDirectorySync(directory, 0o700);
  for (const path of [upper, work, merged]) mkdirSync(path, { mode: 0o700 });
  // The mount's options are read relative to this directory: no path in them can hold a separator.
  symlinkSync(workspace, join(directory, "lower"));
  const { mode, uid, gid } = lstatSync(workspace);
  if (process.getuid?.() === 0) chownSync(upper, uid, gid);
  chmodSync(upper, mode & 0o7777);
  const { ctimeNs } = lstatSync(upper, { bigint: true });
  return { way, directory, workspace, upper, merged, started: ctimeNs };
}

const mounting = "-n -i -t overlay overlay -o userxattr,";

/**
 * `volatile` leaves out the wait for the disk at every file that is copied up: after a crash nobody reads the layer.
 */
const throughLayer = [
  `cd "$1" && "$2" ${mounting}volatile,lowerdir=lower,upperdir=upper,workdir=work merged || {`,
  'echo "The layer over the workspace could not be made, so the command was not run." >&2; exit 126; }',
  'cd / && shift 2 && exec "$@"',
].join("\n");

/**
 * The command in a namespace of mounts that has the layer. Each program becomes the next: the process stays the same.
 */
export const overLayer = ({ way, directory }: Layer, command: readonly string[]): string[] => [
  ...inNamespace(way, throughLayer),
  directory,
  way.mount,
  ...command,
];

/** Shows the layer, read-only, once the command has ended: says so, and stays until its input ends. */
export const showingLayer = ({ way, directory }: Layer): string[] => [
  ...inNamespace(
    way,
    `cd "$1" && "$2" ${mounting}lowerdir=upper:lower merged && cd / && echo shown && exec cat`,
  ),
  directory,
  way.mount,
];

const inNamespace = ({ unshare, options }: NamespaceTools, script: string): string[] => [
  unshare,
  options,
  "--propagation",
  "slave",
  "/bin/sh",
  "-c",
  script,
  "sh",
];

/** What a command left that wrote nothing is removed at once. */
export async function dropLayer({ directory }: Layer): Promise<void> {
  const inner = join(directory, "work", "work");
  try {
    if (existsSync(inner)) chmodSync(inner, 0o700);
    if (!removeEmpty(directory)) await removeTreeSoon(directory);
  } catch {
    // What cannot be removed now is tried again at the next start.
  }
}

function removeEmpty(directory: string): boolean {
  const inner = join(directory, "work", "work");
  const incompatible = join(inner, "incompat");
  const volatile = join(incompatible, "volatile");
  try {
    rmdirSync(join(directory, "upper"));
    for (const path of [join(directory, "lower"), join(volatile, "dirty")]) unlinkSync(path);
    for (const path of [
      volatile,
      incompatible,
      inner,
      join(directory, "work"),
      join(directory, "merged"),
      directory,
    ])
      rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}
