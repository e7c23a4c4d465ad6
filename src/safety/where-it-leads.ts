/**
 * Resolves where a path leads on the disk: through symbolic links, including those that a pattern matches, and with
 * ".." as programs resolve it.
 */

import { dirname, join } from "node:path";
import { mayMatch } from "./judge/names.ts";
import type { TouchedPath } from "./judgement.ts";
import { entriesIn, linkTarget, statusOf } from "./on-disk.ts";

/** Directory entries that a command's patterns may match, checked for links that lead elsewhere. */
const mostJudgedNames = 10_000;

/** The cached lookups of one command, and how many more it may make. */
type Disk = {
  readonly links: Map<string, string | undefined>;
  looks: number;
};

/** `made`: symbolic links that the command itself creates before it uses them. */
export const openDisk = (made: Iterable<readonly [path: string, target: string]>): Disk => ({
  links: new Map(made),
  looks: mostJudgedNames,
});

/** `behind`: where a link has led. `each`: the path, or every name that its pattern matches. */
export type Leads = { behind: string[]; each: string[] };

/** All paths are absolute; a pattern stays in them if it stands for every name that it matches. */
export function whereItLeads({ path, spelled = path, itself }: TouchedPath, disk: Disk): Leads {
  const leads: Leads = { behind: [], each: [] };
  if (!path.startsWith("/")) return leads;
  const follows = itself !== true || /\/\.?$/u.test(spelled);
  lead({ at: "/", isLinked: false }, spelled.split("/").filter(isStep), {
    follows,
    disk,
    leads,
    hops: mostLinks,
  });
  return leads;
}

const isStep = (name: string): boolean => name !== "" && name !== ".";
const isPattern = (name: string): boolean => /[*?[]/u.test(name);

const mostLinks = 40;

/** A directory with its links resolved; `isLinked`: a link has led there. */
type ResolvedDirectory = { at: string; isLinked: boolean };
type Leading = { follows: boolean; disk: Disk; leads: Leads; hops: number };

function lead(way: ResolvedDirectory, names: readonly string[], leading: Leading): void {
  const [name, ...rest] = names;
  if (name === undefined) return arrive(way, leading);
  if (name === "..") return lead({ ...way, at: dirname(way.at) }, rest, leading);
  // `**` does not follow links, and names known only at run time cannot be looked up.
  if (name === "**" || name.includes("…")) return arrive({ ...way, at: join(way.at, ...names) }, leading);
  if (!isPattern(name)) return step(way, names, leading);
  const isAll = rest.length === 0 && way.isLinked;
  if (isAll) arrive({ ...way, at: join(way.at, name) }, leading);
  const from = isAll && !leading.follows ? { ...way, isLinked: false } : way;
  for (const found of namesLike(name, { directory: way.at, isLast: rest.length === 0 }, leading.disk))
    step(from, [found, ...rest], leading);
}

type In = { directory: string; isLast: boolean };

/** The names in a directory that a pattern may match; if more of the path follows, only directories and links. */
function namesLike(pattern: string, { directory, isLast }: In, disk: Disk): string[] {
  const entries = entriesIn(directory);
  disk.looks -= entries.length;
  if (disk.looks < 0) return [];
  return entries.flatMap((entry) => {
    const isLink = entry.isSymbolicLink();
    if (!(isLast || isLink || entry.isDirectory()) || !mayMatch(pattern, entry.name)) return [];
    const path = join(directory, entry.name);
    if (!isLink && !disk.links.has(path)) disk.links.set(path, undefined);
    return [entry.name];
  });
}

function step(way: ResolvedDirectory, [name = "", ...rest]: readonly string[], leading: Leading): void {
  const at = join(way.at, name);
  const isLast = rest.length === 0;
  const target = isLast && !leading.follows ? undefined : targetAt(at, leading.disk);
  if (target === undefined || leading.hops === 0) return lead({ ...way, at }, rest, leading);
  const whole = target.startsWith("/") ? target : `${way.at}/${target}`;
  const names = [...whole.split("/").filter(isStep), ...rest];
  lead({ at: "/", isLinked: true }, names, { ...leading, hops: leading.hops - 1 });
}

function targetAt(path: string, { links }: Disk): string | undefined {
  if (!links.has(path)) links.set(path, statusOf(path)?.isSymbolicLink() ? linkTarget(path) : undefined);
  return links.get(path);
}

function arrive({ at, isLinked }: ResolvedDirectory, { leads }: Leading): void {
  (isLinked ? leads.behind : leads.each).push(at);
}
