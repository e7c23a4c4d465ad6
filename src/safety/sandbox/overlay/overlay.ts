/** A writable overlay over the workspace: the command sees the workspace, but its writes go to a separate directory. */

import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { randomHex } from "../../../base/crypto.ts";
import { makeDirectorySync } from "../../../base/safe-fs/own-files.ts";
import { removeTreeSoon } from "../../../base/safe-fs/remove-tree.ts";
import { ownDirectory } from "../runs.ts";
import { makeHidden } from "./hidden-files.ts";

/** Programs and `unshare` options that create a mount namespace in which the overlay can be mounted. */
export type NamespaceTools = {
  unshare: string;
  mount: string;
  /** Only root can mount without its own user namespace. */
  options: "-m" | "-Urm";
};

/** What is mounted for one command in a namespace of its own, before bubblewrap starts there. */
export type Stage = {
  way: NamespaceTools;
  /** Private, mode 0700. It holds `table`, in the format of fstab(5), whose paths are relative to this directory. */
  directory: string;
};

/** The directory contains the paths below. */
export type Overlay = Stage & {
  workspace: string;
  /** The overlay's upper directory, which receives the command's writes. */
  upper: string;
  /** Absolute paths of files that the command saw empty. */
  hidden: readonly string[];
  /** Where the merged workspace is mounted in the command's namespace. */
  merged: string;
  /** Start time by the file system's clock, in nanoseconds: later changes to the workspace are someone else's. */
  started: bigint;
};

const programPlaces = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/** Absolute paths only: a program of the same name in the workspace must not be run. */
export const programNamed = (name: string): string | undefined =>
  programPlaces.map((place) => join(place, name)).find((path) => existsSync(path));

export function waysToMount(): NamespaceTools[] {
  const [unshare, mount] = [programNamed("unshare"), programNamed("mount")];
  if (unshare === undefined || mount === undefined) return [];
  const options = process.getuid?.() === 0 ? (["-m", "-Urm"] as const) : (["-Urm"] as const);
  return options.map((option) => ({ unshare, mount, options: option }));
}

/**
 * `stateDir` and `workspace` must be resolved paths, and so are those in the workspace that are `hidden` from the
 * command; `others` are further lines of the table.
 */
export function makeOverlay(
  way: NamespaceTools,
  { workspace, stateDir }: { workspace: string; stateDir: string },
  { others = "", hidden = [] }: { others?: string; hidden?: readonly string[] } = {},
): Overlay {
  const directory = join(ownDirectory(stateDir), `layer-${randomHex(6)}`);
  const [upper, work, merged] = ["upper", "work", "merged"].map((name) => join(directory, name));
  if (upper === undefined || work === undefined || merged === undefined) throw new Error("no places");
  makeDirectorySync(directory, 0o700);
  for (const path of [upper, work, merged]) mkdirSync(path, { mode: 0o700 });
  // Mount options use paths relative to this directory, so none of them can contain a separator.
  symlinkSync(workspace, join(directory, "lower"));
  if (hidden.length > 0) makeHidden(join(directory, "hidden"), workspace, hidden);
  const lower = hidden.length > 0 ? "hidden:lower" : "lower";
  writeFileSync(join(directory, table), `${ownLine(lower)}${others}`);
  const { mode, uid, gid } = lstatSync(workspace);
  if (process.getuid?.() === 0) chownSync(upper, uid, gid);
  chmodSync(upper, mode & 0o7777);
  const { ctimeNs } = lstatSync(upper, { bigint: true });
  return { way, directory, workspace, upper, hidden, merged, started: ctimeNs };
}

const options = "userxattr,";
const table = "table";

/** A line of the table that mounts an overlay. */
export const overlayLine = (place: string, given: string): string =>
  `overlay ${place} overlay ${options}${given} 0 0\n`;

/** `volatile` skips the disk sync at every file that is copied up: after a crash the overlay is never read. */
const ownLine = (lower: string): string =>
  overlayLine("merged", `volatile,lowerdir=${lower},upperdir=upper,workdir=work`);

/**
 * A script for a mount namespace, whose first two arguments are the stage's directory and the program that mounts. That
 * one mounts everything: a process for each mount would take longer than the mounts.
 */
export const onStage = [
  `cd "$1" && "$2" -n -i -a -T ${table} || {`,
  'echo "The sandbox could not mount what the command is to see, so it was not run." >&2; exit 126; }',
  "cd / && shift 2",
].join("\n");

/** Mounts the overlay read-only once the command has ended, reports readiness, and stays until its input closes. */
export const showingOverlay = ({ way, directory }: Overlay): string[] => [
  ...inNamespace(
    way,
    `cd "$1" && "$2" -n -i -t overlay overlay -o ${options}lowerdir=upper:lower merged && cd / && echo shown && exec cat`,
  ),
  directory,
  way.mount,
];

/** Of `unshare`: what others mount is seen there, and nobody sees what is mounted there. */
export const namespaceOptions = ["-m", "--propagation", "slave"];

export const inNamespace = ({ unshare, options }: NamespaceTools, script: string): string[] => [
  unshare,
  ...(options === "-Urm" ? ["-Ur"] : []),
  ...namespaceOptions,
  "/bin/sh",
  "-c",
  script,
  "sh",
];

/** Removes the overlay; one without any writes is removed immediately. */
export async function dropOverlay({ directory }: Overlay): Promise<void> {
  const inner = join(directory, "work", "work");
  try {
    if (existsSync(inner)) chmodSync(inner, 0o700);
    if (!removeEmpty(directory)) await removeTreeSoon(directory);
  } catch {
    // Whatever cannot be removed now is retried at the next start.
  }
}

function removeEmpty(directory: string): boolean {
  const inner = join(directory, "work", "work");
  const incompatible = join(inner, "incompat");
  const volatile = join(incompatible, "volatile");
  try {
    rmdirSync(join(directory, "upper"));
    for (const path of [join(directory, "lower"), join(directory, table), join(volatile, "dirty")])
      unlinkSync(path);
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
