/**
 * Where a path leads on the disk: through symbolic links, also those that a pattern stands for, and by ".." as programs
 * read it.
 */

import { dirname, join } from "node:path";
import { bounds } from "../base/bounds.ts";
import { mayMatch } from "./judge/names.ts";
import type { Touched } from "./judgement.ts";
import { entriesIn, linkTarget, statusOf } from "./on-disk.ts";

/** What was looked up already for one command, and how much may still be. */
type Disk = {
  readonly links: Map<string, string | undefined>;
  looks: number;
};

/** `made`: symbolic links that the command itself makes before it uses them. */
export const openDisk = (made: Iterable<readonly [path: string, target: string]>): Disk => ({
  links: new Map(made),
  looks: bounds.commands.judgedNames.most,
});

/** `behind`: where it is because of a link. `each`: the path, or what its pattern stands for, name by name. */
export type Leads = { behind: string[]; each: string[] };

/** Absolute paths; a pattern stands in them where every name that fits it is meant. */
export function whereItLeads({ path, spelled = path, itself }: Touched, disk: Disk): Leads {
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

/** A directory without links in it. */
type Position = { at: string; isLinked: boolean };
type Leading = { follows: boolean; disk: Disk; leads: Leads; hops: number };

function lead(way: Position, names: readonly string[], leading: Leading): void {
  const [name, ...rest] = names;
  if (name === undefined) return arrive(way, leading);
  if (name === "..") return lead({ ...way, at: dirname(way.at) }, rest, leading);
  // No link is followed by what means any depth, and what only the run tells cannot be looked up.
  if (name === "**" || name.includes("…")) return arrive({ ...way, at: join(way.at, ...names) }, leading);
  if (!isPattern(name)) return step(way, names, leading);
  const isAll = rest.length === 0 && way.isLinked;
  if (isAll) arrive({ ...way, at: join(way.at, name) }, leading);
  const from = isAll && !leading.follows ? { ...way, isLinked: false } : way;
  for (const found of namesLike(name, { directory: way.at, isLast: rest.length === 0 }, leading.disk))
    step(from, [found, ...rest], leading);
}

type In = { directory: string; isLast: boolean };

/** The names in a directory that a pattern may stand for; only of directories and links where more follows. */
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

function step(way: Position, [name = "", ...rest]: readonly string[], leading: Leading): void {
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

function arrive({ at, isLinked }: Position, { leads }: Leading): void {
  (isLinked ? leads.behind : leads.each).push(at);
}
