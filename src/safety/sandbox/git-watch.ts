/** Snapshots the parts of a git directory that decide what git executes, for comparison after a command. */

import { basename, dirname, join, resolve } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { linkTarget, namesIn, statusOf } from "../on-disk.ts";
import { keysIn } from "./git-configuration.ts";
import { pinnedParts, worktreesOf } from "./git-places.ts";
import { hooksOf, isPlainKey, isPlainRepository, namedDirectory, readPlain } from "./plain-repository.ts";

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
  const stats = statusOf(path);
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return `link ${linkTarget(path) ?? ""}`;
  if (stats.isDirectory()) return "directory";
  const text = readPlain(path);
  if (text === undefined) return `file ${stats.size} ${stats.ctimeMs}`;
  return `file ${sha256(Buffer.from(isSettings(path) ? tellingSettings(text) : text))}`;
}

const isSettings = (path: string): boolean => /^config(?:\.worktree)?$/.test(basename(path));

/** Without the plain ones: git writes a file anew when a person sets the upstream of a branch. */
function tellingSettings(text: string): string {
  const telling = keysIn(text)?.filter(({ short }) => !isPlainKey(short));
  return telling === undefined ? text : JSON.stringify(telling.map(({ full, value }) => [full, value]));
}

/** Paths that are new or different for reasons other than git's normal work. Parents precede their contents. */
export function suspicious(directory: string, before: ControlState): string[] {
  const after = controlState(directory);
  const changed = [...after].filter(([path, is]) => before.get(path) !== is).map(([path]) => path);
  const found = new Set(changed.filter((path) => !isGitsOwn(path, directory, after)));
  const isInOne = (path: string): boolean => {
    const above = dirname(path);
    return above.length > directory.length && (found.has(above) || isInOne(above));
  };
  return [...found].filter((path) => !isInOne(path));
}

/**
 * `git worktree add` creates a directory that points back to this repository; directories alone are harmless. A new one
 * for hooks goes with them: there may be many.
 */
function isGitsOwn(path: string, directory: string, after: ControlState): boolean {
  const [part = "", name = "", file = ""] = path.slice(directory.length + 1).split("/");
  if (part === "modules" && name !== "") return after.get(path) === "directory" && isPlainRepository(path);
  if (after.get(path) === "directory")
    return part !== "hooks" || name !== "" || hooksOf(directory).length === 0;
  if (part !== "worktrees") return false;
  const leads = readPlain(path)?.trim();
  if (file === "gitdir") return leads !== undefined && leadsBack(resolve(directory, part, name), leads);
  if (file !== "commondir") return false;
  return leads !== undefined && resolve(directory, part, name, leads) === directory;
}

/** The worktree's own `.git` names the directory in turn. */
function leadsBack(place: string, file: string): boolean {
  const path = resolve(place, file);
  const named = namedDirectory(readPlain(path));
  return named !== undefined && resolve(dirname(path), named) === place;
}
