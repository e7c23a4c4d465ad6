/**
 * Moves away what a command planted, and puts back what it must not change where the kernel cannot hold it. If we are
 * killed before, the next start does.
 */

import { cpSync, lstatSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { z } from "zod/mini";
import { mib } from "../../base/bound.ts";
import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import { parseJson } from "../../base/json.ts";
import { isWithin } from "../../base/paths.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import { fileText, identityAt, namesIn, realPath, statusOf } from "../on-disk.ts";
import { beforeCommand, checkLeft, type Guard } from "./guard.ts";
import { atPlace, firstInTheWay, resolvedAbove } from "./own-place.ts";
import { type Quarantine, quarantineIn } from "./quarantine.ts";
import { identitiesBelow, moveRenamed } from "./renamed-secrets.ts";
import type { CheckedRequest } from "./request.ts";
import { abandonedRuns, runsDirectory } from "./runs.ts";

/** Protected places that are copied before a git command, where Landlock is the sandbox, in bytes. */
const mostProtectedCopies = 16 * mib;

/** `restore` returns one sentence for each place that had changed; what stood there is in quarantine then. */
export type PutBack = { restore(): string[] };

type RecordParts = {
  guard: Guard;
  /** The private directory of the command, beside which the record is; copies are in it. */
  own: string;
  /** Copied, because no mount holds them. */
  paths?: readonly string[];
  /** Of these, what the command could give another name, to be read by a later one. */
  hidden?: readonly string[];
};

type PutBackDirectories = Pick<CheckedRequest, "profile" | "workspace" | "stateDir">;

/** To be called last: the command may start then. */
export function keepRecord(
  { profile, workspace, stateDir }: PutBackDirectories,
  { guard, own, paths = [], hidden = [] }: RecordParts,
): PutBack {
  const { before } = guard;
  if (before === undefined) return { restore: () => guard.check() };
  makeDirectorySync(paths.length === 0 ? dirname(own) : copiesIn(own), 0o700);
  for (const [at, path] of paths.entries()) copyExactly(path, join(copiesIn(own), String(at)));
  const kept: KeptPlaces = {
    git: profile === "git",
    workspace,
    paths: [...paths],
    hidden: hidden.flatMap(identitiesBelow),
    before,
  };
  writeFileSync(recordOf(own), JSON.stringify(kept), { mode: 0o600 });
  return { restore: () => restoreOnce(kept, own, stateDir, guard) };
}

type Keeping = Omit<RecordParts, "paths"> & {
  /** What a git command could change. */
  places: readonly string[];
  /** The private directories of all commands that may be running. */
  others: readonly string[];
};

/** The same where nothing is mounted. */
export function keepPlaces(
  context: PutBackDirectories,
  { places, others, ...record }: Keeping,
): Expected<PutBack> {
  const there = [...new Set(places.map(resolvedAbove))].filter((path) => statusOf(path) !== undefined);
  const paths = there.filter((path) => !there.some((other) => other !== path && isWithin(other, path)));
  if (paths.reduce((sum, path) => sum + bytesIn(path), 0) > mostProtectedCopies)
    return notRun("the places that it must not change are too large to be copied first");
  const value = keepRecord(context, { ...record, paths });
  const { workspace } = context;
  const isShared = (other: string): boolean => other !== record.own && overlaps({ workspace, paths }, other);
  if (context.profile !== "git" || !others.some(isShared)) return { ok: true, value };
  rmSync(recordOf(record.own), { force: true });
  return notRun("another git command runs in this workspace. Run it again when that has ended");
}

/** One file, made and removed: on a busy disk each step more would take a millisecond. */
const recordOf = (own: string): string => `${own}${recordEnding}`;
const recordEnding = ".json";
/** The copy of each path is named by its index. */
const copiesIn = (own: string): string => join(own, "kept");
const keptPlaces = z.object({
  git: z.boolean(),
  workspace: z.string(),
  paths: z.array(z.string()),
  hidden: z.array(z.tuple([z.string(), z.string()])),
  before: beforeCommand,
});
type KeptPlaces = z.infer<typeof keptPlaces>;

/** What one of them has planted would be put back by the other. */
function overlaps({ workspace, paths }: Pick<KeptPlaces, "workspace" | "paths">, own: string): boolean {
  const other = recordAt(own);
  if (!other || !other.git) return false;
  return other.workspace === workspace || other.paths.some((path) => paths.includes(path));
}

/** For what a killed Toolwright has left; `name`: of anything in its private directory. */
export function putBackKept(directory: string, name: string, stateDir: string): string[] {
  if (!name.endsWith(recordEnding)) return [];
  const own = join(directory, name.slice(0, -recordEnding.length));
  const kept = recordAt(own);
  if (kept === undefined) return [];
  if (kept === null) {
    rmSync(recordOf(own), { recursive: true, force: true });
    return [damaged];
  }
  const context = { workspace: kept.workspace, stateDir };
  return restoreOnce(kept, own, stateDir, {
    check: (putBack = []) => checkLeft(kept.before, context, putBack),
  });
}

const damaged =
  "Toolwright was killed while a command ran, and its record of what stood there before is damaged, so it cannot tell what that command made. Look for new files in .git and in the dot folders of the workspace before you go on.";

/** Null if it is damaged. */
function recordAt(own: string): KeptPlaces | null | undefined {
  if (statusOf(recordOf(own)) === undefined) return undefined;
  const json = parseJson(fileText(recordOf(own)));
  return (json.ok ? z.safeParse(keptPlaces, json.value).data : undefined) ?? null;
}

/** The record goes before the copies: without these nothing could be put back. */
function restoreOnce(kept: KeptPlaces, own: string, stateDir: string, guard: Pick<Guard, "check">): string[] {
  const quarantine = quarantineIn(stateDir, [kept.workspace]);
  const gone = kept.hidden.filter(([path, identity]) => identityAt(path) !== identity);
  const told = [
    ...restore(kept, copiesIn(own), quarantine),
    ...moveRenamed(new Set(gone.map(([, identity]) => identity)), kept.workspace, quarantine),
    ...guard.check(kept.paths),
  ];
  rmSync(recordOf(own), { force: true });
  return told;
}

function restore({ workspace, paths }: KeptPlaces, directory: string, quarantine: Quarantine): string[] {
  return paths.flatMap((path, at) => {
    const copy = join(directory, String(at));
    const isInPlace = realPath(dirname(path)) === dirname(path);
    if (isInPlace && isSame(path, copy)) return [];
    const moved =
      statusOf(firstInTheWay(path, workspace)) === undefined ? undefined : quarantine.moveAway(path);
    const name = isWithin(workspace, path) ? relative(workspace, path) : path;
    try {
      makeDirectorySync(dirname(path));
      atPlace(path, (there) => copyExactly(copy, there));
    } catch {
      return [`${name}, a protected place, was changed by the command and could not be put back.`];
    }
    const now = moved === undefined ? "" : `; what the command made of it is now ${moved}`;
    return [`${name}, a protected place, was changed by the command and has been put back${now}.`];
  });
}

const notRun = (because: string): Expected<never> =>
  refuse(`The git command was not run: ${because}. A person may approve it to run in the open.`);

const copyExactly = (from: string, to: string): void =>
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    errorOnExist: true,
    force: false,
  });

/** An empty file counts too: there may be many. */
function bytesIn(path: string): number {
  const status = lstatSync(path);
  if (!status.isDirectory()) return status.size + 512;
  return namesIn(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 512);
}

function isSame(path: string, copy: string): boolean {
  const [now, then] = [statusOf(path), statusOf(copy)];
  if (now?.mode !== then?.mode || now === undefined) return false;
  if (now.isSymbolicLink()) return readlinkSync(path) === readlinkSync(copy);
  if (now.isFile()) return now.size === then?.size && readFileSync(path).equals(readFileSync(copy));
  const names = namesIn(path);
  return (
    names.length === namesIn(copy).length && names.every((name) => isSame(join(path, name), join(copy, name)))
  );
}

/** Puts back and moves away what commands of earlier owners had changed and planted, and says what. Never throws. */
export function putBackLeft(stateDir: string): string[] {
  return abandonedRuns(stateDir).flatMap((name) => {
    const directory = join(runsDirectory(stateDir), name);
    return namesIn(directory).flatMap((own) => {
      try {
        return putBackKept(directory, own, stateDir);
      } catch (error) {
        return [
          `What a command had changed when Toolwright was killed could not be put back (${errorMessage(error)}). The next start tries again.`,
        ];
      }
    });
  });
}
