/**
 * Globs against paths of which not all is known: a command's words may be patterns, or stand below an unknown
 * directory.
 */

import { posix } from "node:path";
import picomatch from "picomatch";

/** Whether the path is in the tree or is it. Both absolute, "/"-separated. */
export const liesIn = (tree: string, path: string): boolean =>
  tree === "/" || path === tree || path.startsWith(`${tree}/`);

/** Relative to the workspace where it lies there ("." for the root), else as it is. */
export function relativeTo(workspace: string, path: string): string {
  if (!path.startsWith("/")) return path;
  const normal = posix.normalize(path);
  return liesIn(workspace, normal) ? posix.relative(workspace, normal) || "." : normal;
}

/** What stands for a directory that only the run tells. */
const unknownDirectory = "…";

/**
 * Whether what the path stands for may be something that the glob means. Case does not count: where it does not count
 * for the file system either, another spelling must not get around a refusal. `deep`: with all that lies below it.
 */
export function mayMeet(path: string, glob: string, { deep }: { deep: boolean }): boolean {
  if (matches(path, glob)) return true;
  const ways = picomatch.scan(glob).isBrace ? braceless(glob) : [glob];
  const parts = partsOf(path === "." ? "" : path).map((part) => (part === unknownDirectory ? "**" : part));
  return ways.some((way) => meet(parts, partsOf(way), deep));
}

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "");

/** From the end of both to their beginning, so that patterns with many `**` cost no more than others. */
function meet(parts: readonly string[], glob: readonly string[], deep: boolean): boolean {
  // `below[g]`: whether the path's rest meets the glob from `g` on.
  let below = [...glob.keys(), glob.length].map((at) => deep || glob.slice(at).every(isAny));
  for (const part of parts.toReversed()) {
    const here: boolean[] = [];
    for (let at = glob.length; at >= 0; at -= 1) here[at] = meetsAt(part, glob[at], { here, below, at });
    below = here;
  }
  return below[0] ?? false;
}

const isAny = (part: string): boolean => part === "**";

function meetsAt(
  part: string,
  name: string | undefined,
  { here, below, at }: { here: readonly boolean[]; below: readonly boolean[]; at: number },
): boolean {
  const isNamed = name !== undefined;
  const skips = isNamed && (isAny(name) || isAny(part)) && here[at + 1] === true;
  const swallows = (isAny(part) || (isNamed && isAny(name))) && below[at] === true;
  const both = isNamed && mayBeSame(part, name) && below[at + 1] === true;
  return skips || swallows || both;
}

const wild = /[*?[\]()!+@{}]/u;

const matches = (name: string, glob: string): boolean => picomatch(glob, { dot: true, nocase: true })(name);

/** Two names, each maybe a pattern. */
function mayBeSame(one: string, other: string): boolean {
  if (!wild.test(one)) return matches(one, other);
  if (!wild.test(other)) return matches(other, one);
  const heads = [one, other].map((name) => (name.split(wild)[0] ?? "").toLowerCase());
  const tails = [one, other].map((name) => (name.split(wild).at(-1) ?? "").toLowerCase());
  const [head = "", otherHead = ""] = heads;
  const [tail = "", otherTail = ""] = tails;
  const headsFit = head.startsWith(otherHead) || otherHead.startsWith(head);
  return headsFit && (tail.endsWith(otherTail) || otherTail.endsWith(tail));
}

/** `{a,b}/c` as `a/c` and `b/c`; what has more or deeper braces matches as one pattern, part by part. */
function braceless(glob: string): string[] {
  const found = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/u.exec(glob);
  if (!found) return [glob];
  const [, before = "", middle = "", after = ""] = found;
  return middle.split(",").map((each) => before + each + after);
}
