import { expect, test } from "vitest";
import { isUnknown, literal, noFlows, unknownWord } from "../../command-line/word.ts";
import { around } from "../../testing/around.ts";
import { useOf } from "../use.ts";
import { git } from "./git.ts";
import { isPlainGit, isReadingGit, needsOpenGit } from "./plain.ts";

function useFor(line: string, variables: { name: string; value: string }[] = []) {
  const words = line
    .split(" ")
    .slice(1)
    .map((text) => (text === "?" ? unknownWord() : literal(text)));
  expect(words.some(isUnknown)).toBe(line.includes("?"));
  const input = { text: undefined, flows: noFlows, isGiven: false };
  const given = variables.map(({ name, value }) => ({ name, value: literal(value) }));
  return useOf(git, { name: "git", words, variables: given, input, around });
}

test.each([
  "git status",
  "git add -A",
  "git commit -m x",
  "git checkout main",
  "git reset --hard",
  "git rebase main",
  "git stash pop",
  "git tag v1",
  "git branch -D x",
  "git worktree add x main",
  "git config --get user.name",
  "git -C sub status",
  "git -C /home/dev/proj/sub status",
  "git -c user.name=x commit -m y",
  "git -c core.pager=cat log",
  "git --no-pager log",
])("%s works on this repository alone", (line) => {
  expect(isPlainGit(useFor(line))).toBe(true);
});

test.each([
  "git push",
  "git fetch",
  "git pull",
  "git clone https://h/x",
  "git submodule update",
  "git remote add x https://h/x",
  "git config user.name x",
  "git -c core.pager=./x log",
  "git -c core.hooksPath=/tmp/h commit",
  "git -C ../other status",
  "git -C .git/modules/x status",
  "git --git-dir=.git status",
  "git --work-tree=/x checkout main",
  "git --exec-path=/x status",
  "git rebase -x id main",
  "git bisect run id",
  "git submodule foreach id",
  "git difftool -x id",
  "git log -p --ext-diff",
  "git grep -Oid x",
  "git archive --remote=x HEAD",
  "git frobnicate",
  "git checkout ?",
])("%s goes beyond this repository or cannot be judged", (line) => {
  expect(isPlainGit(useFor(line))).toBe(false);
});

test.each([
  ["git show ?", false],
  ["git log --oneline ?", false],
  ["git branch --contains ?", false],
  ["git checkout main", false],
  ["git tag ?", true],
  ["git checkout ?", true],
  ["git -C ? log", true],
  ["git ? log", true],
  ["git log --ext-diff ?", true],
])("%s needs the open profile: %s", (line, expected) => {
  expect(needsOpenGit(useFor(line))).toBe(expected);
});

test("with variables, git works on this repository alone only if they cannot run anything", () => {
  const withVariable = (name: string, value: string) => isPlainGit(useFor("git log", [{ name, value }]));
  expect(withVariable("GIT_PAGER", "cat")).toBe(true);
  expect(withVariable("LC_ALL", "C")).toBe(true);
  expect(withVariable("GIT_EDITOR", "true")).toBe(true);
  for (const editor of ["ed", "vi", "vim", "sh -c id"])
    expect(withVariable("GIT_EDITOR", editor), editor).toBe(false);
  expect(withVariable("GIT_PAGER", "sh -c id")).toBe(false);
  expect(withVariable("GIT_DIR", "/tmp/x")).toBe(false);
  expect(withVariable("PATH", "/tmp")).toBe(false);
});

test.each([
  ["git log", true],
  ["git branch -vv", true],
  ["git branch --contains abc", true],
  ["git branch next", false],
  ["git branch -d x", false],
  ["git tag", true],
  ["git tag -l v1", true],
  ["git tag v1", false],
  ["git stash list", true],
  ["git stash", false],
  ["git stash drop", false],
  ["git remote -v", true],
  ["git worktree list", true],
  ["git reflog", true],
  ["git reflog expire", false],
  ["git config --list", true],
  ["git symbolic-ref HEAD", true],
  ["git symbolic-ref HEAD refs/heads/x", false],
  ["git commit -m x", false],
])("%s only reads: %s", (line, expected) => {
  expect(isReadingGit(useFor(line))).toBe(expected);
});
