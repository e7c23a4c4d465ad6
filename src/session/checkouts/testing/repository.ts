/** Real git repositories for tests: made by git itself, in directories of the test's own. */

import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";

type TestRepository = {
  root: string;
  /** A working copy, for the test to commit in. */
  source: string;
  /** The bare one that sessions name. */
  address: string;
  /** Runs git in the working copy. */
  git: (...words: string[]) => string;
  /** Runs git in the bare one. */
  bare: (...words: string[]) => string;
  /** Commits files and pushes them; returns the commit. */
  commit: (files: Record<string, string>) => string;
};

const settings = [
  "-c",
  "user.name=Ann",
  "-c",
  "user.email=ann@example.org",
  "-c",
  "protocol.file.allow=always",
  "-c",
  "maintenance.auto=false",
];

/** The shell's own settings of git stay out. */
const environment = { PATH: process.env["PATH"], HOME: "/nowhere", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };

export const gitAt = (directory: string, ...words: string[]): string =>
  execFileSync("git", [...settings, ...words], {
    cwd: directory,
    env: environment,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();

/** What each first commit left on the disk: git makes it once in a process, which takes six programs of it. */
const begun = new Map<string, Map<string, Buffer>>();

export function testRepository(files: Record<string, string>): TestRepository {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-repository-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [source, bare] = [join(root, "source"), join(root, "shop.git")];
  const repository: TestRepository = {
    root,
    source,
    address: `file://${bare}`,
    git: (...words) => gitAt(source, ...words),
    bare: (...words) => gitAt(bare, ...words),
    commit(changed) {
      writeFiles(source, changed);
      gitAt(source, "add", "--all");
      gitAt(source, "commit", "--quiet", "--message", "A change");
      gitAt(source, "push", "--quiet", bare, "HEAD");
      return gitAt(source, "rev-parse", "HEAD");
    },
  };
  const key = JSON.stringify(files);
  const known = begun.get(key);
  if (known) {
    writeFiles(root, Object.fromEntries(known));
    gitAt(source, "update-index", "--refresh");
    return repository;
  }
  mkdirSync(source);
  gitAt(source, "init", "--quiet", "--template=", "--initial-branch=main");
  gitAt(root, "init", "--quiet", "--template=", "--bare", "--initial-branch=main", bare);
  repository.commit(files);
  begun.set(key, filesBelow(root));
  return repository;
}

function writeFiles(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

function filesBelow(root: string): Map<string, Buffer> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(root, path), readFileSync(path)]));
}
