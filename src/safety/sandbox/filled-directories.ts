/**
 * Finds secrets, repositories and protected places in directories that tools fill and the search of a workspace skips.
 * They may hold a hundred thousand files, so a look ends after a time, and says so.
 */

import { basename } from "node:path";
import { isEnvironmentFile } from "../environment-files.ts";
import { mostFilledDirectories, sandboxBounds } from "./bounds.ts";
import { directoryAt, type IndexedDirectory, type Item } from "./indexed-directory.ts";
import { pace } from "./overlay/pace.ts";

export type FilledLook = {
  /** Absolute paths. */
  secrets: readonly string[];
  git: readonly Item[];
  protected: readonly Item[];
  /** Whether it got through all of them. */
  isWhole: boolean;
  /** Which directories it did not get through, in words; said once. */
  tell(): string[];
};

/** `roots`: absolute. */
type FilledDirectories = {
  look(roots: readonly string[]): Promise<FilledLook>;
  /** At once, whenever the last one was. */
  lookNow(roots: readonly string[]): FilledLook;
};

type FilledPlaces = { secrets: string[]; git: Item[]; protected: Item[]; unfinished: readonly string[] };

type FilledStep = { root: string; path: string; parent: string };

/**
 * A look that took long is not repeated for `patience` times as long: commands see no secret that they could put there,
 * so only what a person does meanwhile is seen later.
 */
export function filledDirectories({
  mostMs = sandboxBounds.filledMs.most,
  patience = 200,
} = {}): FilledDirectories {
  const known = new Map<string, IndexedDirectory>();
  let last: { key: string; until: number; look: FilledLook } | undefined;
  let told = "";
  const ended = (roots: readonly string[], found: FilledPlaces, begun: number): FilledLook => {
    const { unfinished, ...places } = found;
    const now = performance.now();
    const tell = (): string[] => {
      const words = unfinished.map(unfinishedWarning);
      const isNew = told !== words.join("");
      told = words.join("");
      return isNew ? words : [];
    };
    const isWhole = unfinished.length === 0;
    const look = { ...places, isWhole, tell };
    last = { key: keyOf(roots), look, until: isWhole ? now + (now - begun) * patience : now };
    return look;
  };
  return {
    async look(roots) {
      const begun = performance.now();
      if (last?.key === keyOf(roots) && begun < last.until) return last.look;
      const steps = walk(roots, known, begun + mostMs);
      let step = steps.next();
      for (; !step.done; step = steps.next()) await pace();
      return ended(roots, step.value, begun);
    },
    lookNow(roots) {
      const begun = performance.now();
      const steps = walk(roots, known, begun + mostMs);
      let step = steps.next();
      while (!step.done) step = steps.next();
      return ended(roots, step.value, begun);
    },
  };
}

const keyOf = (roots: readonly string[]): string => roots.join("\0");

const unfinishedWarning = (directory: string): string =>
  `${directory} holds too much to be searched in the time for that: a command may see secrets (.env files) there, and what it makes there is not looked at.`;

/** Level by level, so that what is near comes first. What is known already is quick: the next look gets further. */
function* walk(
  roots: readonly string[],
  known: Map<string, IndexedDirectory>,
  until: number,
): Generator<undefined, FilledPlaces> {
  const found: FilledPlaces = { secrets: [], git: [], protected: [], unfinished: [] };
  const seen = new Set<string>();
  let level = roots.map((root): FilledStep => ({ root, path: root, parent: "" }));
  while (level.length > 0) {
    const below: FilledStep[] = [];
    for (const [at, step] of level.entries()) {
      if (performance.now() > until || seen.size >= mostFilledDirectories) {
        const left = [...level.slice(at), ...below].map(({ root }) => root);
        return { ...found, unfinished: [...new Set(left)] };
      }
      yield;
      const directory = directoryAt(step.path, known.get(step.path), isEnvironmentFile);
      if (directory === undefined) continue;
      seen.add(step.path);
      known.set(step.path, directory);
      below.push(...visit(step, directory, found));
    }
    level = below;
  }
  for (const path of known.keys()) if (!seen.has(path)) known.delete(path);
  return found;
}

function visit(step: FilledStep, directory: IndexedDirectory, found: FilledPlaces): FilledStep[] {
  const { root, path, parent } = step;
  const { identity } = directory;
  const own: Item = { path, kind: "directory", identity, parent };
  if (directory.isRepository) found.git.push(own);
  // A folder that a tool fills is no agent's.
  else if (directory.isAgentFolder && path !== root) found.protected.push(own);
  for (const { as, item } of directory.items) {
    if (as === "environment") found.secrets.push(item.path);
    else if (as !== "socket") found[as].push(item);
  }
  const below = [...directory.below, ...directory.filled].map((one) => ({
    root,
    path: one,
    parent: identity,
  }));
  // A repository may hold another one; its own objects are many.
  return directory.isRepository ? below.filter((one) => basename(one.path) !== "objects") : below;
}
