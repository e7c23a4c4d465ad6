/** A new repository of git for a test, beside which there is room for other files. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const settings = ["user.name=A", "user.email=a@b", "maintenance.auto=false"].flatMap((each) => ["-c", each]);

/** `init`: further words of `git init`. Nothing is in it. */
export function gitPlace(...init: string[]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-git-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const workspace = join(root, "workspace");
  mkdirSync(workspace);
  const env = { PATH: process.env["PATH"], HOME: root };
  const run = (program: string, words: readonly string[]): string =>
    execFileSync(program, words, { cwd: workspace, env, stdio: ["ignore", "pipe", "ignore"] }).toString();
  /** Throws if git fails. */
  const git = (...words: string[]): string => run("git", [...settings, ...words]);
  /** Runs a script in which `git` is the same, and goes on where one of its lines fails. */
  const script = (lines: readonly string[]): string =>
    run("sh", ["-c", [`git() { command git ${settings.join(" ")} "$@"; }`, ...lines, "true"].join("\n")]);
  git("init", "-q", "--template=", "-b", "main", ...init);
  return { root, workspace, env, git, script };
}
