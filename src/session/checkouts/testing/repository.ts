/** Real git repositories for tests: made by git itself, in directories of the test's own. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

export function testRepository(files: Record<string, string>): TestRepository {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-repository-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [source, bare] = [join(root, "source"), join(root, "shop.git")];
  mkdirSync(source);
  gitAt(source, "init", "--quiet", "--initial-branch=main");
  gitAt(root, "init", "--quiet", "--bare", "--initial-branch=main", bare);
  const repository: TestRepository = {
    root,
    source,
    address: `file://${bare}`,
    git: (...words) => gitAt(source, ...words),
    bare: (...words) => gitAt(bare, ...words),
    commit(changed) {
      for (const [path, text] of Object.entries(changed)) {
        mkdirSync(dirname(join(source, path)), { recursive: true });
        writeFileSync(join(source, path), text);
      }
      gitAt(source, "add", "--all");
      gitAt(source, "commit", "--quiet", "--message", "A change");
      gitAt(source, "push", "--quiet", bare, "HEAD");
      return gitAt(source, "rev-parse", "HEAD");
    },
  };
  repository.commit(files);
  return repository;
}
