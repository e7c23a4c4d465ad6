/** What commands of git move in a repository, undo moves back, also after all that git itself forgets is cleaned up. */

import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { patchText } from "../src/cli/changes/patch.ts";
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
    names: git("for-each-ref")
      .split("\n")
      .filter((line) => !line.includes("refs/toolwright/")),
    stash: git("stash", "list", "--format=%H %gs"),
  });
  /** What nothing but a log of git's leads to is gone then. Stashed work is such a log. */
  const forget = (): void => {
    for (const log of ["HEAD", "refs/heads"])
      rmSync(join(root, ".git/logs", log), { recursive: true, force: true });
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
  "git branch -m topic topic/more",
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
  "git stash -q && FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --msg-filter 'cat; echo more' -- --all",
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

test("what was moved since is not moved back unasked, and then nothing else is undone either", async () => {
  const { ask, session, git, standing } = await opened(["git reset -q --hard HEAD~1"]);
  await ask("Do it.");
  git("commit", "-qm", "later", "--allow-empty");
  const before = standing();
  const outcome = await session.command({ type: "undo" });
  expect(outcome).toMatchObject({ ok: false, problem: expect.stringContaining(".git/references") });
  expect(standing()).toEqual(before);
  const left = await session.command({ type: "undo", onConflict: "skip" });
  expect(left).toEqual({ ok: true });
  expect(standing().names).toEqual(before.names);
});

test("a branch that was made since stays when others are moved back line by line", async () => {
  const { ask, session, git, standing } = await opened(["git branch -D topic"]);
  const before = standing();
  await ask("Do it.");
  git("branch", "later", "main");
  expect(await session.command({ type: "undo", onConflict: "merge" })).toEqual({ ok: true });
  const later = standing().names.filter((line) => line.endsWith("refs/heads/later"));
  expect(later).toHaveLength(1);
  expect(standing().names.filter((line) => !later.includes(line))).toEqual(before.names);
});

test("the requests are undone one by one, and the review shows what each moved", async () => {
  const { ask, session, standing } = await opened(["git commit -qm third", "git branch -D topic"]);
  const first = standing();
  await ask("Commit.");
  const second = standing();
  await ask("Tidy up.");
  const review = await session.review(2);
  expect(review).toMatchObject({ ok: true, value: { files: [{ path: ".git/references", removed: 1 }] } });
  await session.command({ type: "undo" });
  expect(standing()).toEqual(second);
  await session.command({ type: "undo" });
  expect(standing()).toEqual(first);
});

test("in a patch, what git moved is a comment", async () => {
  const { ask, session, root } = await opened([
    "git stash -q && git commit -q --allow-empty -m third && echo x > b.txt",
  ]);
  await ask("Do it.");
  const review = await session.review(1);
  if (!review.ok) throw new Error(review.problem);
  const read = { state: session.state, content: async () => new TextEncoder().encode("x\n") };
  const patch = await patchText(review.value, read);
  expect(patch).toMatch(/^# -refs\/heads\/main [\da-f]{40}$/mu);
  const apply = ["apply", "--reverse", "--check", "-"];
  execFileSync("git", apply, { cwd: root, input: patch, stdio: ["pipe", "ignore", "inherit"] });
});

test("what only adds leaves no reference of ours behind, and a command without git asks git nothing", async () => {
  const lines = ["git commit -qm third", "echo x > b.txt && git add b.txt", "touch c"];
  const { ask, git, facts, session } = await opened(lines);
  for (const line of lines) await ask(line);
  await session.close();
  expect(git("for-each-ref", "refs/toolwright")).toBe("");
  const moved = facts().flatMap((fact) => (fact.type === "change-applied" && fact.references ? [fact] : []));
  expect(moved).toHaveLength(2);
});

test("in a repository of its own below the workspace, too", async () => {
  const { ask, session, root, git } = await opened(["git -C sub commit -q --amend --allow-empty -m other"]);
  git("init", "-q", "sub");
  const sub = (...words: string[]) => git("-C", join(root, "sub"), ...words);
  sub("config", "user.name", "A");
  sub("config", "user.email", "a@example.org");
  sub("commit", "-q", "--allow-empty", "-m", "first");
  const before = sub("rev-parse", "HEAD");
  await ask("Do it.");
  expect(sub("rev-parse", "HEAD")).not.toBe(before);
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(sub("rev-parse", "HEAD")).toBe(before);
});

test("without a sandbox as well", async () => {
  const { ask, session, standing, forget } = await opened(["git branch -D topic"], { sandbox: undefined });
  const before = standing();
  await ask("Do it.");
  forget();
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(standing()).toEqual(before);
});
