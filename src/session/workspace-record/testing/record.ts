/**
 * Real workspaces for the tests in this directory: with and without git, read completely, recorded around real
 * commands.
 */

import { execFileSync } from "node:child_process";
import fs, {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  type Stats,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { applyChanges } from "../../../base/safe-fs/apply.ts";
import type { Change } from "../../../base/safe-fs/image.ts";
import { openTree } from "../../../base/safe-fs/open-tree.ts";
import type { Tree } from "../../../base/safe-fs/tree.ts";
import { gitReader } from "../git-reader.ts";
import { type CommandRecord, type RecordOptions, recordWorkspace } from "../record.ts";

/** The environment of git without any user configuration. */
export const plainEnv = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
};

export type TestDirectory = { root: string; tree: Tree; [Symbol.dispose](): void };

export function makePlace(files: Readonly<Record<string, string | Uint8Array>> = {}): TestDirectory {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-record-")));
  write(root, files);
  const opened = openTree(root);
  if (!opened.ok) throw new Error(opened.problem);
  const tree = opened.value;
  return {
    root,
    tree,
    [Symbol.dispose]() {
      tree.close();
      remove(root);
    },
  };
}

/** Only root may empty a directory that is closed to its owner: for others `chmod` opens it. */
function remove(root: string): void {
  try {
    rmSync(root, { recursive: true, force: true });
  } catch {
    execFileSync("chmod", ["-R", "u+rwX", root]);
    rmSync(root, { recursive: true, force: true });
  }
}

export function write(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

const settings = [
  "user.name=t",
  "user.email=t@t",
  "protocol.file.allow=always",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((each) => ["-c", each]);

export const git = (directory: string, ...words: string[]): string =>
  run(directory, "git", [...settings, ...words]);

const run = (directory: string, program: string, words: readonly string[]): string =>
  execFileSync(program, words, {
    cwd: directory,
    env: plainEnv,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

/** Commits all files with old timestamps, so that git trusts its index at once. */
export function commitAll(directory: string): void {
  makeOld(directory);
  const steps = [
    "init --quiet --template= --initial-branch=main",
    "add --all --force",
    "commit --quiet --allow-empty --message=all",
  ];
  // One program of a small shell: starting three takes a large process of tests far longer than they run.
  const line = steps.map((step) => `git ${settings.join(" ")} ${step}`).join(" && ");
  run(directory, "sh", ["-c", line]);
}

export function makeOld(directory: string): void {
  for (const [path, { kind }] of Object.entries(lookAll(directory)))
    if (kind === "file") utimesSync(join(directory, path), 1_600_000_000, 1_600_000_000.5);
}

export const bash = (root: string, script: string): string =>
  execFileSync("bash", ["-c", script], { cwd: root, env: { ...process.env, ...plainEnv }, encoding: "utf8" });

export type PathState = { kind: string; mode?: number; content?: string };

/** Everything except git's own files: kind, mode, content. */
export function lookAll(root: string, below = ""): Record<string, PathState> {
  const found: Record<string, PathState> = {};
  for (const name of readdirSync(join(root, below))) {
    if (name === ".git") continue;
    const path = below === "" ? name : `${below}/${name}`;
    const stats = name.includes("\uFFFD") ? statsOf(join(root, path)) : lstatSync(join(root, path));
    if (!stats) continue;
    const mode = stats.mode & 0o7777;
    if (stats.isDirectory())
      Object.assign(found, { [path]: { kind: "directory", mode } }, lookAll(root, path));
    else if (stats.isSymbolicLink()) found[path] = { kind: "link", content: readlinkSync(join(root, path)) };
    else if (stats.isFile())
      found[path] = { kind: "file", mode, content: readFileSync(join(root, path), "latin1") };
    else found[path] = { kind: "other", mode };
  }
  return found;
}

/** Undefined for names that are not valid text. */
const statsOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

type Options = Partial<RecordOptions> & { withoutGit?: true };

export function record(
  { root, tree }: TestDirectory,
  { withoutGit, ...options }: Options = {},
): Promise<CommandRecord> {
  return recordWorkspace(tree, {
    named: [],
    signal: new AbortController().signal,
    ...(withoutGit ? {} : { git: gitReader({ workspace: root, env: plainEnv }) }),
    ...options,
  });
}

export const reverseChanges = (changes: readonly Change[]): Change[] =>
  changes.map(({ path, before, after }) => ({ path, before: after, after: before }));

/** Reverts the changes as undo does, and throws if it cannot. */
export async function takeBack({ tree }: TestDirectory, changes: readonly Change[]): Promise<void> {
  const made = await applyChanges(tree, reverseChanges(changes), { durable: false });
  if (!made.ok) throw new Error(made.problem);
}

/** Records around a command, reverts what is reported, and returns the states before and after. */
export async function throughCommand(
  place: TestDirectory,
  command: string | (() => void),
  options: Options = {},
) {
  const before = lookAll(place.root);
  const recorded = await record(place, options);
  if (typeof command === "string") bash(place.root, command);
  else command();
  const result = await recorded.changes();
  const after = lookAll(place.root);
  await takeBack(place, result.changes);
  return { ...result, gaps: recorded.gaps, before, after, restored: lookAll(place.root) };
}

/** For example "created a, deleted b": a short form of the changes. */
export const inShort = (changes: readonly Change[]): string[] =>
  changes.map(({ path, before, after }) => {
    if (before === null) return `created ${path}`;
    if (after === null) return `deleted ${path}`;
    return before.kind === after.kind ? `modified ${path}` : `${before.kind} to ${after.kind} ${path}`;
  });

const watched = ["lstatSync", "readdirSync", "statSync", "openSync", "readFileSync", "readlinkSync"] as const;

/** Counts file-system calls by name while `work` runs. */
export async function systemCalls(work: () => Promise<void>): Promise<Record<string, number>> {
  const count: Record<string, number> = {};
  const real = Object.fromEntries(watched.map((name) => [name, fs[name]]));
  for (const name of watched) {
    const counted = (...all: never[]): unknown => {
      count[name] = (count[name] ?? 0) + 1;
      return Reflect.apply(real[name] ?? fs[name], fs, all);
    };
    Object.assign(fs, { [name]: counted });
  }
  syncBuiltinESMExports();
  try {
    await work();
    return count;
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  }
}
