/** Resolves paths inside the workspace, checked component by component, and locates our state directory. */

import { constants, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { EnvironmentVariables } from "./environment-variables.ts";
import { attempt, type Expected } from "./expected.ts";

/** `absolute` contains no symlinks; `relative` is relative to the workspace, with forward slashes, "." for the root. */
export type PlaceInside = { absolute: string; relative: string };

const mostLinks = 40;
const systemTrees = ["/proc", "/dev", "/sys"];

/**
 * Resolves a path written by a model. Accepts relative paths and absolute ones inside the workspace, existing or not;
 * follows symlinks one component at a time, so that none leads out. Never expands `~` or variables.
 */
export async function insideWorkspace(root: string, path: string): Promise<Expected<PlaceInside>> {
  const oddity = oddityOf(path);
  if (oddity) return refuse(path, oddity);
  const realRoot = realPath(root);
  if (realRoot === undefined) return refuse(path, "the workspace itself cannot be found any more");
  const wanted = isWithin(root, resolve(root, path))
    ? resolve(realRoot, relative(root, resolve(root, path)))
    : resolve(realRoot, path);
  if (!isWithin(realRoot, wanted)) return refuse(path, outside);
  const real = followInside(realRoot, wanted);
  if (!real.ok) return refuse(path, real.problem);
  if (systemTrees.some((tree) => isWithin(tree, real.value)))
    return refuse(path, "it is in a system tree (/proc, /dev, /sys)");
  const place = relative(realRoot, real.value).split(sep).join("/");
  return { ok: true, value: { absolute: real.value, relative: place === "" ? "." : place } };
}

/**
 * Whether `path` is `tree` or lies in it. Both are absolute; compared by components, so /srv/app-evil is not in
 * /srv/app.
 */
export function isWithin(tree: string, path: string): boolean {
  if (isPlain(tree) && isPlain(path)) return path === tree || path.startsWith(tree + sep);
  const way = relative(tree, path);
  return way !== ".." && !way.startsWith(".." + sep) && !isAbsolute(way);
}

/** Nothing in it needs to be resolved, which takes several times as long as this look. */
const isPlain = (path: string): boolean =>
  sep === "/" && path.startsWith("/") && !/\/\.{0,2}(?:\/|$)/u.test(path);

/** The user's. */
export const homeDirectory = (env: EnvironmentVariables): string => env["HOME"] || homedir();

/**
 * Our state directory: TOOLWRIGHT_HOME, else XDG_STATE_HOME/toolwright, else ~/.local/state/toolwright. Callers that
 * create it must use mode 0700.
 */
export function stateDirectory(env: EnvironmentVariables): string {
  if (env["TOOLWRIGHT_HOME"]) return resolve(env["TOOLWRIGHT_HOME"]);
  const state = env["XDG_STATE_HOME"];
  // The XDG specification says to ignore relative values.
  if (state && isAbsolute(state)) return join(state, "toolwright");
  return join(homeDirectory(env), ".local", "state", "toolwright");
}

/** What can be made again: XDG_CACHE_HOME/toolwright, else ~/.cache/toolwright. */
export function cacheDirectory(env: EnvironmentVariables): string {
  const cache = env["XDG_CACHE_HOME"];
  if (cache && isAbsolute(cache)) return join(cache, "toolwright");
  return join(homeDirectory(env), ".cache", "toolwright");
}

const outside = "it is outside the workspace; use a path inside it";

function oddityOf(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (path.includes("\0")) return "it holds a NUL character";
  if (path === "~" || path.startsWith("~/"))
    return `"~" is not expanded; use a path relative to the workspace`;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return "it is a URL; use a path relative to the workspace";
  return undefined;
}

/** Walks `path` down from `root`, following links. Missing components are taken literally. */
function followInside(root: string, path: string): Expected<string> {
  let real = root;
  let rest = componentsOf(relative(root, path));
  for (let links = 0; rest.length > 0;) {
    const [name = "", ...later] = rest;
    const next = join(real, name);
    const target = linkTarget(next);
    if (target === undefined) {
      real = next;
      rest = later;
      continue;
    }
    if (++links > mostLinks) return { ok: false, problem: "it goes through too many symbolic links" };
    const wanted = resolve(real, target);
    if (!isWithin(root, wanted))
      return { ok: false, problem: `the symbolic link ${name} leads outside the workspace` };
    rest = [...componentsOf(relative(root, wanted)), ...later];
    real = root;
  }
  return { ok: true, value: real };
}

/** The path with all symbolic links resolved. */
export const realPath = (path: string): string | undefined => attempt(() => realpathSync.native(path));

/** The workspace path as sessions record it: symbolic links resolved if it exists. */
export const realWorkspace = (path: string): Promise<string> => realpath(path).catch(() => path);

function componentsOf(path: string): string[] {
  return path.split(sep).filter((part) => part !== "");
}

/** Synchronous, like all look-ups in the workspace tree: waiting for another thread costs ten times as much. */
function linkTarget(path: string): string | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
  } catch {
    // Missing, below a file, or not searchable: opening it will report that.
    return undefined;
  }
}

function refuse(path: string, because: string): Expected<never> {
  const shown = JSON.stringify(path.length > 200 ? path.slice(0, 200) + "…" : path);
  return { ok: false, problem: `The path ${shown} was refused: ${because}.` };
}

/** What is there, behind any links; what this user may not look at counts as missing, and so does a cycle of links. */
export const statsBehind = (path: string): Stats | undefined =>
  attempt(() => statSync(path, { throwIfNoEntry: false }));

/** Whether a regular file is there, or a link to one; not a directory, FIFO or device. */
export const isFile = (path: string): boolean => statsBehind(path)?.isFile() ?? false;

/** The same of a directory. */
export const isFolder = (path: string): boolean => statsBehind(path)?.isDirectory() ?? false;

/** Whether this user may do that there: by default, whether anything is there. */
export const mayAccess = (path: string, mode: number = constants.F_OK): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );

/** A directory and those above it, the workspace last; none if it lies elsewhere. */
export function directoriesUp(workspace: string, from: string): string[] {
  const all: string[] = [];
  for (let at = from; isWithin(workspace, at); at = dirname(at)) {
    all.push(at);
    if (at === workspace) break;
  }
  return all;
}

/** Whether a directory is there, or a link to one. */
export const isDirectoryAt = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
