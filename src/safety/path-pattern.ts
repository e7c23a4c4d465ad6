/** Matches globs against partly known paths: a command's words may be patterns, or lie below an unknown directory. */

import { posix } from "node:path";
import { alternativesOf, type PathMatcher, pathMatcher } from "../base/glob.ts";

/** Whether the path is the root of the tree or lies in it. Both are absolute and "/"-separated. */
export const liesIn = (tree: string, path: string): boolean =>
  tree === "/" || path === tree || path.startsWith(`${tree}/`);

/** Relative to the workspace if the path lies in it ("." for the root), otherwise absolute or as given. */
export function relativeTo(workspace: string, path: string): string {
  if (!path.startsWith("/")) return path;
  const normal = posix.normalize(path);
  return liesIn(workspace, normal) ? posix.relative(workspace, normal) || "." : normal;
}

type GlobOptions = {
  ignoresCase?: boolean;
  /** What a glob that cannot be used says of every path. */
  unusable: boolean;
};

/** Groups of a shell: `@(a|b)` is read, others cannot be used. */
export function globMatcher(glob: string, { ignoresCase = false, unusable }: GlobOptions): PathMatcher {
  const isNegated = /^!(?!\()/u.test(glob);
  const made = matcherOf(isNegated ? glob.slice(1) : glob, ignoresCase);
  if (!made) return () => unusable;
  return (path) => made(path) !== isNegated;
}

function matcherOf(glob: string, ignoresCase: boolean): PathMatcher | undefined {
  const plain = glob.replaceAll(
    /@\(([^()|]*(?:\|[^()|]*)+)\)/gu,
    (_, choices: string) => `{${choices.replaceAll("|", ",")}}`,
  );
  const made = shellGroup.test(plain) ? undefined : pathMatcher(plain, { ignoresCase });
  return made?.ok ? made.value : undefined;
}

const shellGroup = /[!?+*@]\(/u;

/** Whether it can be used as the path of a rule. */
export const isUsableGlob = (glob: string): boolean => matcherOf(glob, false) !== undefined;

/** Whether it may match more than the one path that it spells. */
export const isGlob = (text: string): boolean => /^!|[*?[{]|@\(/u.test(text);

/** Stands for a directory that is known only at run time. */
const unknownDirectory = "…";

/**
 * Whether the path, which may be a pattern, can denote something that the glob matches. Ignores case: on a
 * case-insensitive file system, another spelling must not get around a refusal. `deep`: includes everything below the
 * path.
 */
export function mayMeet(path: string, glob: string, { deep }: { deep: boolean }): boolean {
  if (matches(path, glob)) return true;
  const ways = alternativesOf(glob) ?? [glob];
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
  globMatcher(glob, { ignoresCase: true, unusable: false })(name);

/** Compares two names, either of which may be a pattern. */
function mayBeSame(one: string, other: string): boolean {
  if (!wild.test(one) && isUsableGlob(other)) return matches(one, other);
  if (!wild.test(other) && isUsableGlob(one)) return matches(other, one);
  const heads = [one, other].map((name) => (name.split(wild)[0] ?? "").toLowerCase());
  const tails = [one, other].map((name) => (name.split(wild).at(-1) ?? "").toLowerCase());
  const [head = "", otherHead = ""] = heads;
  const [tail = "", otherTail = ""] = tails;
  const headsFit = head.startsWith(otherHead) || otherHead.startsWith(head);
  return headsFit && (tail.endsWith(otherTail) || otherTail.endsWith(tail));
}
