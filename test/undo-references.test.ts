/** What commands of git move in a repository, undo moves back, also after all that git itself forgets is cleaned up. */

import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { findSandbox } from "../src/safety/sandbox/sandbox.ts";
import { testSession, type TestSessionOptions } from "../src/testing/session.ts";
import { wholeTree } from "./support/whole-tree.ts";

const me = ["-c", "user.name=A", "-c", "user.email=a@example.org"];

/** A history with everything that a name can lead to: branches that went apart, tags of both kinds, stashed work. */
async function opened(lines: readonly string[], options: TestSessionOptions = {}) {
  const model = scriptedModel(
    lines.flatMap((command) => [[{ call: "run_command", with: { command } }], [{ say: "Done." }]]),
  );
  const made = await testSession(model, { sandbox: findSandbox, mode: "auto", files: {}, ...options });
  onTestFinished(() => made.workspace.remove());
  const { root } = made.workspace;
  const git = (...words: string[]): string =>
    execFileSync("git", [...me, ...words], { cwd: root, stdio: ["ignore", "pipe", "ignore"] }).toString();
  const put = (text: string): void => writeFileSync(join(root, "a.txt"), text);
  put("one\n");
  git("init", "-q", "-b", "main");
  git("config", "user.name", "A");
  git("config", "user.email", "a@example.org");
  git("add", ".");
  git("commit", "-qm", "first");
  git("tag", "light");
  git("checkout", "-qb", "topic");
  put("topic\n");
  git("commit", "-qam", "topic");
  git("tag", "-am", "kept", "annotated");
  git("checkout", "-q", "main");
  put("two\n");
  git("commit", "-qam", "second");
  for (const text of ["stashed once", "stashed twice"]) {
    put(`${text}\n`);
    git("stash", "push", "-qm", text);
  }
  writeFileSync(join(root, "staged.txt"), "staged\n");
  git("add", "staged.txt");
  put("mine\n");
  const standing = () => ({
    files: wholeTree(root),
    status: git("status", "--porcelain=v2", "--branch"),
    names: git("for-each-ref").split("\n").filter((line) => !line.includes("refs/toolwright/")),
    stash: git("stash", "list", "--format=%H %gs"),
  });
  /** What nothing but a log of git's leads to is gone then. Stashed work is such a log. */
  const forget = (): void => {
    for (const log of ["HEAD", "refs/heads"]) rmSync(join(root, ".git/logs", log), { recursive: true, force: true });
    git("gc", "--quiet", "--prune=now");
  };
  return { ...made, root, git, put, standing, forget };
}

const ways = [
  "git commit -qm third",
  "git commit -q --amend -m other",
  "git commit -qam third && git commit -q --amend -m other",
  "git reset -q --hard HEAD~1",
  "git reset -q --soft HEAD~1",
  "git stash -q && git checkout -q topic",
  "git stash -q && git rebase -q -X theirs topic",
  "git stash -q && git merge -q -X ours -m merged topic",
  "git stash -q && git merge topic",
  "git branch -D topic",
  "git branch -f topic main",
  "git checkout -q -B topic",
  "git checkout -q --detach",
  "git tag -d light annotated",
  "git tag -f light topic",
  "git tag -d annotated && git branch -D topic",
  "git stash drop -q 'stash@{1}'",
  "git stash drop -q",
  "git stash clear",
  "git stash -q && git stash apply -q 'stash@{1}'",
  "git update-ref -d refs/heads/topic",
  "git symbolic-ref HEAD refs/heads/new",
  "git stash -q && git filter-branch -f --msg-filter 'cat; echo more' -- --all",
  "git branch -D topic && git reflog expire --expire=now --all && git gc -q --prune=now",
  "git pack-refs --all && git branch -D topic",
  "git rm -q --cached staged.txt",
];

test.each(ways)("undo moves everything back, and redo forth: %s", async (line) => {
  const { ask, session, standing, forget } = await opened([line]);
  const before = standing();
  await ask("Do it.");
  const after = standing();
  expect(after).not.toEqual(before);
  forget();
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(standing()).toEqual(before);
  forget();
  expect(await session.command({ type: "redo" })).toEqual({ ok: true });
  expect(standing().names).toEqual(after.names);
  expect(standing().stash).toEqual(after.stash);
});
