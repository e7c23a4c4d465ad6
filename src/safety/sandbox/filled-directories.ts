/**
 * Finds files with secrets in directories that tools fill and the search of a workspace skips. They may hold a hundred
 * thousand files, so a look ends after a time, and says so.
 */

import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isEnvironmentFile } from "../environment-files.ts";
import { namesIn } from "../on-disk.ts";
import { sandboxBounds } from "./bounds.ts";
import { pacer } from "./layer/pace.ts";

export type FilledLook = {
  /** Absolute paths. */
  secrets: readonly string[];
  /** Which directories it did not get through, in words; said once. */
  tell(): string[];
};

/** `roots`: absolute. */
export type FilledDirectories = { look(roots: readonly string[]): Promise<FilledLook> };

type FilledPlaces = { secrets: string[]; unfinished: readonly string[] };

type KnownDirectory = { changed: bigint; secrets: string[]; below: string[] };

type FilledStep = { root: string; path: string };

/**
 * A look that took long is not repeated for `patience` times as long: commands see no secret that they could put there,
 * so only what a person does meanwhile is seen later.
 */
export function filledDirectories({
  mostMs = sandboxBounds.filledMs.most,
  patience = 200,
} = {}): FilledDirectories {
  const known = new Map<string, KnownDirectory>();
  let last: { key: string; until: number; look: FilledLook } | undefined;
  let told = "";
  return {
    async look(roots) {
      const begun = performance.now();
      const key = roots.join("\0");
      if (last?.key === key && begun < last.until) return last.look;
      const { secrets, unfinished } = await walk(roots, known, begun + mostMs);
      const now = performance.now();
      const tell = (): string[] => {
        const words = unfinished.map(unfinishedWarning);
        const isNew = told !== words.join("");
        told = words.join("");
        return isNew ? words : [];
      };
      const isWhole = unfinished.length === 0;
      last = { key, look: { secrets, tell }, until: isWhole ? now + (now - begun) * patience : now };
      return last.look;
    },
  };
}

const unfinishedWarning = (directory: string): string =>
  `${directory} holds too much to be searched for secrets (.env files) in the time for that: a command may see one there.`;

/** Level by level, so that what is near comes first. What is known already is quick: the next look gets further. */
async function walk(
  roots: readonly string[],
  known: Map<string, KnownDirectory>,
  until: number,
): Promise<FilledPlaces> {
  const pace = pacer();
  const secrets: string[] = [];
  const seen = new Set<string>();
  let level = roots.map((root): FilledStep => ({ root, path: root }));
  while (level.length > 0) {
    const below: FilledStep[] = [];
    for (const [at, { root, path }] of level.entries()) {
      if (performance.now() > until || seen.size >= sandboxBounds.filledDirectories.most) {
        const left = [...level.slice(at), ...below];
        return { secrets, unfinished: [...new Set(left.map((step) => step.root))] };
      }
      await pace();
      const directory = current(path, known);
      if (directory === undefined) continue;
      seen.add(path);
      secrets.push(...directory.secrets);
      for (const name of directory.below) below.push({ root, path: join(path, name) });
    }
    level = below;
  }
  for (const path of known.keys()) if (!seen.has(path)) known.delete(path);
  return { secrets, unfinished: [] };
}

/** File systems round the time of a change: a later one could carry the same. */
const coarseness = 30_000_000n;

function current(path: string, known: Map<string, KnownDirectory>): KnownDirectory | undefined {
  try {
    const stats = lstatSync(path, { bigint: true });
    if (!stats.isDirectory()) return undefined;
    const before = known.get(path);
    if (before?.changed === stats.ctimeNs) return before;
    const isFresh = BigInt(Date.now()) * 1_000_000n - stats.ctimeNs < coarseness;
    const entries = readdirSync(path, { withFileTypes: true });
    const secrets = entries.filter((entry) => isSecret(entry, path));
    const others = entries.filter((entry) => entry.isDirectory() && !secrets.includes(entry));
    const directory = {
      changed: stats.ctimeNs,
      secrets: secrets.map(({ name }) => join(path, name)),
      below: others.map(({ name }) => name),
    };
    if (isFresh) known.delete(path);
    else known.set(path, directory);
    return directory;
  } catch {
    return undefined; // gone, or not readable by us and so not by a command either
  }
}

const isSecret = (entry: Dirent, directory: string): boolean =>
  isEnvironmentFile(entry.name) && holdsSettings(entry, directory);

/** A directory called `.env` alone is often Python's own; an empty one holds nothing. */
export function holdsSettings(entry: Dirent, directory: string): boolean {
  if (!entry.isDirectory() || entry.name.toLowerCase() !== ".env") return true;
  const inside = namesIn(join(directory, entry.name));
  return inside.length > 0 && !inside.includes("pyvenv.cfg");
}
