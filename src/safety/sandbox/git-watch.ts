/** Snapshots the parts of a git directory that decide what git executes, for comparison after a command. */

import { lstatSync, readlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { namesIn } from "../on-disk.ts";
import { pinnedParts, worktreesOf } from "./git-places.ts";
import { hooksOf, isPlainRepository, readPlain } from "./plain-repository.ts";

/** Maps each path to its state: a hash, a link's target, or mere existence. */
export type ControlState = ReadonlyMap<string, string>;

export function controlState(directory: string): ControlState {
  const paths = [
    ...pinnedParts,
    "worktrees",
    "info/attributes",
    "info/grafts",
    ...hooksOf(directory).map((name) => join("hooks", name)),
    ...namesIn(join(directory, "modules")).map((name) => join("modules", name)),
  ].map((part) => join(directory, part));
  const ofWorktrees = worktreesOf(directory).flatMap((place) =>
    ["", "commondir", "config.worktree", "gitdir"].map((part) => join(place, part)),
  );
  const state = new Map<string, string>();
  for (const path of [...paths, ...ofWorktrees]) {
    const is = stateOf(path);
    if (is !== undefined) state.set(path.replace(/\/$/, ""), is);
  }
  return state;
}

function stateOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  if (stats.isDirectory()) return "directory";
  const text = readPlain(path);
  return text === undefined ? `file ${stats.size} ${stats.ctimeMs}` : `file ${sha256(Buffer.from(text))}`;
}

/** Paths that are new or different for reasons other than git's normal work. Parents precede their contents. */
export function suspicious(directory: string, before: ControlState): string[] {
  const after = controlState(directory);
  const changed = [...after].filter(([path, is]) => before.get(path) !== is).map(([path]) => path);
  const found = changed.filter((path) => !isGitsOwn(path, directory, after));
  return found.filter((path) => !found.some((other) => path.startsWith(other + "/")));
}

/** `git worktree add` creates a directory that points back to this repository; directories alone are harmless. */
function isGitsOwn(path: string, directory: string, after: ControlState): boolean {
  const [part = "", name = "", file = ""] = path.slice(directory.length + 1).split("/");
  if (part === "modules" && name !== "") return after.get(path) === "directory" && isPlainRepository(path);
  if (after.get(path) === "directory") return true;
  if (part !== "worktrees") return false;
  const leads = readPlain(path)?.trim();
  if (file === "gitdir") return leads !== undefined && leadsBack(resolve(directory, part, name), leads);
  if (file !== "commondir") return false;
  return leads !== undefined && resolve(directory, part, name, leads) === directory;
}

/** The worktree's own `.git` names the directory in turn. */
function leadsBack(place: string, file: string): boolean {
  const path = resolve(place, file);
  const named = /^gitdir: (.+)\n?$/.exec(readPlain(path) ?? "")?.[1];
  return named !== undefined && resolve(dirname(path), named) === place;
}
