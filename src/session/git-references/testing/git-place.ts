/** A new repository of git for a test, beside which there is room for other files. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** `init`: further words of `git init`. Nothing is in it. */
export function gitPlace(...init: string[]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-git-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const workspace = join(root, "workspace");
  mkdirSync(workspace);
  const env = { PATH: process.env["PATH"], HOME: root };
  /** Throws if git fails. */
  const git = (...words: string[]): string =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...words], {
      cwd: workspace,
      env,
      stdio: ["ignore", "pipe", "ignore"],
    }).toString();
  git("init", "-q", "-b", "main", ...init);
  return { root, workspace, env, git };
}
