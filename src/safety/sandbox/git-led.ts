/** Which files of a workspace git runs or reads because of its settings, though they lie outside of `.git`. */

import { dirname, join, resolve } from "node:path";
import { isWithin } from "../../base/paths.ts";
import { entriesIn, linkTarget, realPath, statusOf } from "../on-disk.ts";
import { keysIn, plainValue } from "./git-configuration.ts";
import { writableGitDirectories } from "./git-places.ts";
import { namesProgram, settingsFiles } from "./git-programs.ts";
import { readPlain } from "./plain-repository.ts";
import type { CheckedRequest } from "./request.ts";
import type { IndexedPlaces } from "./workspace-index.ts";

/** Absolute paths in the workspace, whether something is there or not. None where `.git` may be written, too. */
export function ledToByGit(
  { workspace, home, profile }: Pick<CheckedRequest, "workspace" | "home" | "profile">,
  found: IndexedPlaces,
): string[] {
  if (profile === "open" || profile === "read") return [];
  const inside = found.git.filter(({ kind }) => kind === "directory").map(({ path }) => path);
  const own = writableGitDirectories(workspace, found);
  const directories = [...new Set([...inside, ...(own.ok ? own.value : [])])];
  const led = directories.flatMap((directory) => {
    const place = { bases: [dirname(directory), workspace], home };
    return [
      ...throughLinks(join(directory, "hooks")),
      ...settingsFiles(directory).flatMap((file) => namedIn(file, place, new Set())),
    ];
  });
  const isOwn = (path: string): boolean => directories.some((directory) => isWithin(directory, path));
  return [...new Set(led)].filter(
    (path) => isWithin(workspace, path) && !isWithin(path, workspace) && !isOwn(path),
  );
}

/** The directory, and where it or an entry leads as a link. */
function throughLinks(directory: string): string[] {
  // Asking what is no link where it leads is an exception, which takes ten times as long as this.
  const inside = entriesIn(directory).filter((entry) => entry.isSymbolicLink());
  const own = statusOf(directory)?.isSymbolicLink() === true ? [directory] : [];
  const targets = [...own, ...inside.map(({ name }) => join(directory, name))].flatMap((path) => {
    const target = linkTarget(path);
    return target === undefined ? [] : [resolve(realPath(dirname(path)) ?? dirname(path), target)];
  });
  return [directory, ...targets];
}

type GitSearchPlaces = { bases: readonly string[]; home: string };

/** What settings name, also those that they include. */
function namedIn(file: string, place: GitSearchPlaces, seen: Set<string>): string[] {
  const real = realPath(file);
  if (real === undefined || seen.has(real)) return [];
  seen.add(real);
  const text = readPlain(real)?.replaceAll(/\\\r?\n/g, " ") ?? "";
  const further = real === file ? [] : [real];
  const named = (keysIn(text) ?? []).flatMap(({ short, value }) => {
    const whole = plainValue(value).replace(/^~(?=\/)/, place.home);
    if (/^include(?:if)?\.path$/.test(short)) {
      const path = resolve(dirname(real), whole);
      return [path, ...namedIn(path, place, seen)];
    }
    if (short === "core.hookspath") return place.bases.flatMap((base) => throughLinks(resolve(base, whole)));
    return namesProgram(short) ? programsIn(whole, place) : [];
  });
  return [...further, ...named];
}

/** Every word that is a file there: an interpreter's argument, too. Directories are not, as they hold much else. */
function programsIn(value: string, { bases }: GitSearchPlaces): string[] {
  const words = value.split(/[\s"'`;|&()<>=!\\]+/).filter(Boolean);
  return words
    .flatMap((word) => bases.map((base) => resolve(base, word)))
    .filter((path) => statusOf(path)?.isFile() === true || linkTarget(path) !== undefined);
}
