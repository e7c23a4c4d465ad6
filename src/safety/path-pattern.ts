/** Matches globs against partly known paths: a command's words may be patterns, or lie below an unknown directory. */

import { posix } from "node:path";
import picomatch from "picomatch";

/** Whether the path is the root of the tree or lies in it. Both are absolute and "/"-separated. */
export const liesIn = (tree: string, path: string): boolean =>
  tree === "/" || path === tree || path.startsWith(`${tree}/`);

/** Relative to the workspace if the path lies in it ("." for the root), otherwise absolute or as given. */
export function relativeTo(workspace: string, path: string): string {
  if (!path.startsWith("/")) return path;
  const normal = posix.normalize(path);
  return liesIn(workspace, normal) ? posix.relative(workspace, normal) || "." : normal;
}

/** No wildcard matches a line end, which a name may hold: it counts as any other character. */
export const withoutLineEnds = (path: string): string => path.replaceAll(/[\n\r\u2028\u2029]/gu, "_");

/** Stands for a directory that is known only at run time. */
const unknownDirectory = "…";

/**
 * Whether the path, which may be a pattern, can denote something that the glob matches. Ignores case: on a
 * case-insensitive file system, another spelling must not get around a refusal. `deep`: includes everything below the
 * path.
 */
export function mayMeet(path: string, glob: string, { deep }: { deep: boolean }): boolean {
  if (matches(path, glob)) return true;
  const ways = picomatch.scan(glob).isBrace ? braceless(glob) : [glob];
  const parts = partsOf(path === "." ? "" : path).map((part) => (part === unknownDirectory ? "**" : part));
  return ways.some((way) => meet(parts, partsOf(way), deep));
}

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "");

/** Works from the last part to the first, so that patterns with many `**` cost no more than others. */
function meet(parts: readonly string[], glob: readonly string[], deep: boolean): boolean {
  // `below[g]`: whether the rest of the path meets the glob from `g` on.
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

const matches = (name: string, glob: string): boolean =>
  picomatch(glob, { dot: true, nocase: true })(withoutLineEnds(name));

/** Compares two names, either of which may be a pattern. */
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

/** Expands `{a,b}/c` to `a/c` and `b/c`; a glob with more or deeper braces stays one pattern, matched part by part. */
function braceless(glob: string): string[] {
  const found = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/u.exec(glob);
  if (!found) return [glob];
  const [, before = "", middle = "", after = ""] = found;
  return middle.split(",").map((each) => before + each + after);
}
