/** Reads what git has of a workspace: which files match its index, and their contents. */

import { resolve } from "node:path";
import { type GitPlace, type GitRun, plainEnvironment, runGit } from "../../base/git-run.ts";
import { lookAt } from "./entry.ts";
import { type IndexEntry, indexReader } from "./git-index.ts";
import { objectReader, type GitObject } from "./git-objects.ts";

type GitIndex = {
  /** Files in and below the directory, except those whose content a filter or encoding may have converted. */
  files: IndexEntry[];
  /** The latest time at which the index can have been written; nanoseconds since 1970. */
  written: bigint;
};

/** Directories are absolute. Never throws: missing or malformed output from git counts as unknown. */
export type GitReader = {
  /** Undefined outside a repository. */
  index(directory: string, signal?: AbortSignal): Promise<GitIndex | undefined>;
  /** Which of these paths below the directory git ignores. */
  ignored(directory: string, paths: readonly string[], signal?: AbortSignal): Promise<Set<string>>;
  /** The address from which git would fetch, for each remote by its name. */
  remotes(directory: string): Promise<Map<string, string>>;
  /**
   * The repository's own settings, or also those of the person and the system, in their order, with the names as git
   * compares them; undefined if git fails.
   */
  settings(directory: string, scope: "own" | "all"): Promise<[name: string, value: string][] | undefined>;
  /** Contents by id; those git lacks, or has in another size, are absent. */
  contents(directory: string, wanted: readonly GitObject[]): Promise<Map<string, Uint8Array>>;
};

export function gitReader(place: GitPlace): GitReader {
  const env = plainEnvironment(place.env, place.workspace);
  const run: GitRunner = (request) => runGit({ ...request, env });
  return {
    async index(directory, signal) {
      const written = await writtenAt(directory, run, signal);
      if (written === undefined) return undefined;
      const reader = indexReader();
      const listing = ["ls-files", "--stage", "--debug", "-z", "--", ...withoutConversion];
      const isWell = await run({
        directory,
        arguments: listing,
        onBytes: reader.push,
        ...signalOption(signal),
      });
      const files = isWell ? reader.end() : undefined;
      return files && { files, written };
    },
    async ignored(directory, paths, signal) {
      const pieces: Buffer[] = [];
      await run({
        directory,
        arguments: ["check-ignore", "--stdin", "-z"],
        input: paths.map((path) => `${path}\0`).join(""),
        onBytes: (bytes) => void pieces.push(bytes),
        ...signalOption(signal),
      });
      return new Set(Buffer.concat(pieces).toString().split("\0"));
    },
    async remotes(directory) {
      const pieces: Buffer[] = [];
      const onBytes = (bytes: Buffer): void => void pieces.push(bytes);
      const isWell = await run({ directory, arguments: ["remote", "-v"], onBytes });
      const lines = isWell ? Buffer.concat(pieces).toString().split("\n") : [];
      return new Map(
        lines.flatMap((line): [string, string][] => {
          const [, name, address] = /^(\S+)\t(\S+) \(fetch\)/u.exec(line) ?? [];
          return name === undefined || address === undefined ? [] : [[name, address]];
        }),
      );
    },
    settings: (directory, scope) =>
      settingsAt(directory, run, scope === "own" ? ["--local"] : ["--includes"]),
    async contents(directory, wanted) {
      const reader = objectReader(wanted);
      await run({
        directory,
        arguments: ["cat-file", "--batch", "--buffer"],
        input: wanted.map(({ id }) => `${id}\n`).join(""),
        onBytes: reader.push,
      });
      return reader.end();
    },
  };
}

type GitRunner = (request: Omit<GitRun, "env">) => Promise<boolean>;

async function settingsAt(
  directory: string,
  run: GitRunner,
  scope: readonly string[],
): Promise<[string, string][] | undefined> {
  const pieces: Buffer[] = [];
  const onBytes = (bytes: Buffer): void => void pieces.push(bytes);
  if (!(await run({ directory, arguments: ["config", ...scope, "--list", "-z"], onBytes }))) return undefined;
  const entries = Buffer.concat(pieces).toString().split("\0").slice(0, -1);
  return entries.map((entry) => {
    const end = entry.indexOf("\n");
    return end < 0 ? [entry, ""] : [entry.slice(0, end), entry.slice(end + 1)];
  });
}

const signalOption = (signal: AbortSignal | undefined): { signal?: AbortSignal } =>
  signal ? { signal } : {};

/** Line-ending conversion is harmless here: it changes the size, which is compared. */
const withoutConversion = [":(attr:!filter !ident !working-tree-encoding)"];

/** Read before the index itself, so that the index never counts as newer than it is. */
async function writtenAt(
  directory: string,
  run: GitRunner,
  signal: AbortSignal | undefined,
): Promise<bigint | undefined> {
  const pieces: Buffer[] = [];
  const isWell = await run({
    directory,
    arguments: ["rev-parse", "--git-path", "index"],
    onBytes: (bytes) => void pieces.push(bytes),
    ...signalOption(signal),
  });
  const path = Buffer.concat(pieces).toString().replace(/\n$/, "");
  const entry = isWell && path !== "" ? lookAt(resolve(directory, path)) : undefined;
  return entry?.kind === "file" ? entry.modified : undefined;
}
