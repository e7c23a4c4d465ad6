/** Checks that a repository's settings are inert: none makes git run a program or read other settings. */

import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kib } from "../../base/bound.ts";
import { attempt } from "../../base/expected.ts";
import { namesIn, statusOf } from "../on-disk.ts";
import { keysIn } from "./git-configuration.ts";

/** A file in which git keeps its settings, in bytes. */
const mostRepository = 256 * kib;

/** Section and key in lower case; a subsection between them ("origin") is ignored. */
const harmlessKeys: Readonly<Record<string, readonly string[] | "all">> = {
  core: [
    "repositoryformatversion",
    "filemode",
    "bare",
    "logallrefupdates",
    "ignorecase",
    "precomposeunicode",
    "symlinks",
    "autocrlf",
    "eol",
    "safecrlf",
    "quotepath",
    "longpaths",
    "abbrev",
    "sharedrepository",
  ],
  remote: ["url", "fetch", "push", "pushurl", "tagopt", "prune", "mirror", "partialclonefilter", "promisor"],
  branch: ["remote", "merge", "rebase", "description", "pushremote", "autosetuprebase", "autosetupmerge"],
  user: ["name", "email"],
  init: ["defaultbranch"],
  extensions: ["objectformat", "refstorage", "partialclone", "compatobjectformat"],
  submodule: ["url", "active", "branch"],
  pull: ["rebase", "ff"],
  push: ["default", "autosetupremote", "followtags"],
  fetch: ["prune", "prunetags"],
  merge: ["ff", "conflictstyle"],
  rebase: ["autostash", "autosquash"],
  advice: "all",
  color: "all",
};

/** Anything not positively recognised counts as not plain. */
export const isPlainConfiguration = (text: string): boolean =>
  keysIn(text)?.every(({ short, value }) => isPlainKey(short) && !value.includes("\\")) ?? false;

/** `short`: section and key, with a dot between them. */
export function isPlainKey(short: string): boolean {
  const [section = "", key = ""] = short.split(".");
  const keys = Object.hasOwn(harmlessKeys, section) ? harmlessKeys[section] : undefined;
  return keys === "all" || (keys?.includes(key) ?? false);
}

/**
 * Whether this is a fresh repository as made by `git init` or `git clone`: plain settings, sample hooks, no link to
 * another repository. `part`: some of one, that may lack the settings.
 */
export function isPlainRepository(directory: string, written: "whole" | "part" = "whole"): boolean {
  const elsewhere = ["commondir", "config.worktree", "modules", "worktrees", "gitdir"];
  const isThere = (part: string): boolean =>
    lstatSync(join(directory, part), { throwIfNoEntry: false }) !== undefined;
  if (elsewhere.some(isThere)) return false;
  if (written === "whole" || isThere("config")) {
    const configuration = readAlone(join(directory, "config"));
    if (configuration === undefined || !isPlainConfiguration(configuration)) return false;
  }
  return (
    hooksOf(directory).length === 0 && !isLink(join(directory, "hooks")) && !isLink(join(directory, "info"))
  );
}

/** Hooks that git would run; a symbolic link in place of the hooks directory counts as one. */
export const hooksOf = (directory: string): string[] =>
  namesIn(join(directory, "hooks")).filter((name) => !name.endsWith(".sample"));

const isLink = (path: string): boolean => statusOf(path)?.isSymbolicLink() ?? false;

/** The same, of a file without another name, by which it could be changed later. */
export const readAlone = (path: string): string | undefined =>
  (lstatSync(path, { throwIfNoEntry: false })?.nlink ?? 0) > 1 ? undefined : readPlain(path);

/** The git directory that the text of a working tree's `.git` names, as it is written. */
export const namedDirectory = (text: string | undefined): string | undefined =>
  /^gitdir: (.+)\n?$/.exec(text ?? "")?.[1];

/** The text of a small regular file; undefined for anything else. */
export const readPlain = (path: string): string | undefined =>
  attempt(() => {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size <= mostRepository ? readFileSync(path, "utf8") : undefined;
  });
