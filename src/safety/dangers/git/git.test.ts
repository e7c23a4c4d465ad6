import fc from "fast-check";
import { expect, test } from "vitest";
import { literal, noFlows, unknownWord } from "../../command-line/word.ts";
import { effectsOf, told } from "../testing-effects.ts";
import { useOf } from "../use.ts";
import { git } from "./git.ts";
import { subcommands } from "./subcommands.ts";

const effects = (line: string) => told(effectsOf([git], line));

const discards = "danger high it throws away changes in files that are not committed";
const publishes = "danger medium it publishes commits";

test.each([
  "git status -sb",
  "git diff --stat HEAD~3",
  "git log --oneline -20 --all",
  "git log -- .env",
  "git show --stat HEAD",
  "git branch -a",
  "git branch -d merged",
  "git rev-parse --abbrev-ref HEAD",
  "git remote -v",
  "git config --get user.name",
  "git config user.name Jane",
  "git commit -am fix",
  "git commit -uno -m x",
  "git commit -Sn -m x",
  "git checkout main",
  "git checkout -b x origin/main",
  "git checkout -",
  "git checkout v1.2.3",
  "git checkout 1.x",
  "git checkout feature/foo",
  "git switch -c next",
  "git restore --staged a.ts",
  "git restore -S .",
  "git reset HEAD~1",
  "git reset --keep HEAD~1",
  "git clean -ndx",
  "git stash",
  "git stash push -m drop",
  "git stash pop",
  "git merge --no-ff next",
  "git rebase -i HEAD~3",
  "git cherry-pick -s abc",
  "git tag -s v1 -m x",
  "git bisect good",
  "git tag -l",
  "git gc",
  "git gc --prune=2.weeks.ago",
  "git worktree list",
  "git fsck",
  "git push --help",
  "git -c core.pager=cat log",
  "git --no-pager log",
  "git",
])("everyday work has no effect: %s", (line) => {
  expect(effects(line)).toEqual([]);
});

test.each([
  ["git checkout -- a.ts", discards],
  ["git checkout .", discards],
  ["git checkout HEAD~1 a.ts", discards],
  ["git checkout package.json", discards],
  ["git checkout -f main", discards],
  ["git checkout --forc main", discards],
  ["git switch --discard-changes main", discards],
  ["git restore a.ts", discards],
  ["git restore -SW a.ts", discards],
  ["git reset --hard", discards],
  ["git reset --har HEAD~2", discards],
  ["git reset ?mode", "danger high what it does to your changes is only known when it runs"],
  ["git reset --merge", "danger high it throws away what is staged"],
  ["git clean -fdx", "danger high it deletes files that git does not keep, for good"],
  ["git clean -fn --no-dry-run", "danger high it deletes files that git does not keep, for good"],
  ["git stash drop stash@{1}", "danger high it drops stashed changes for good"],
  ["git stash clear", "danger high it drops stashed changes for good"],
  ["git branch -D x", "danger high it deletes a branch even when its commits are nowhere else"],
  ["git branch --delete --force x", "danger high it deletes a branch even when its commits are nowhere else"],
  ["git tag -d v1", "danger medium it deletes tags"],
  [
    "git reflog expire --expire=now --all",
    "danger high it drops commits that nothing else may hold, for good",
  ],
  ["git gc --prune=now", "danger high it drops commits that nothing else may hold, for good"],
])("losing uncommitted or unpushed work is reported: %s", (line, because) => {
  expect(effects(line)).toEqual([because]);
});

test.each([
  ["git push", ["fetches", publishes]],
  ["git push -u origin main", ["fetches", publishes]],
  ["git push -n", ["fetches"]],
  ["git push -uf origin main", ["fetches", publishes, "danger high it rewrites the remote's history"]],
  ["git push --force-with-l", ["fetches", publishes, "danger high it rewrites the remote's history"]],
  ["git push origin +main", ["fetches", publishes, "danger high it rewrites the remote's history"]],
  ["git push origin :old", ["fetches", publishes, "danger high it deletes branches or tags on the remote"]],
  ["git push --mirror", ["fetches", publishes, "danger high it deletes on the remote what is not here"]],
  ["git push https://h/x main", ["sends https://h/x", publishes]],
  ["git push ../other main", ["writes ../other edits", publishes]],
  [
    "git push ?where",
    ["fetches", "danger high where it sends commits is only known when it runs", publishes],
  ],
])("a push is rated by what it does to the remote: %s", (line, expected) => {
  expect(effects(line)).toEqual(expected);
});

test.each([
  [
    "git rebase --exec=id main",
    ["danger high it runs a command for each of many commits", "interprets shell id"],
  ],
  [
    "git rebase -x id main",
    ["danger high it runs a command for each of many commits", "interprets shell id"],
  ],
  ["git grep -Oid x", ["danger high its option -O runs a command", "interprets shell id"]],
  ["git difftool -x ./x", ["danger high its option of that name runs a command", "interprets shell ./x"]],
  ["git bisect run rm -r x", ["danger high it runs a command for each of many commits", "runs rm -r x"]],
  [
    "git submodule foreach sh_-c_id",
    ["danger high it runs a command in every submodule", "interprets shell sh -c id"],
  ],
  ["git submodule foreach git clean -f", ["interprets shell git clean -f"]],
  [
    "git filter-branch --tree-filter rm_x HEAD",
    ["interprets shell rm x", "danger high it rewrites the history of branches"],
  ],
  [
    "git fetch --upload-p=id",
    ["danger high its option for a server runs a command", "interprets shell id", "fetches"],
  ],
  ["git lfs pull", ["fetches"]],
  ["git merge -s evil x", ["danger high its option --strategy names a program, which git runs"]],
])("a command in an option or argument is reported as code: %s", (line, expected) => {
  expect(effects(line)).toEqual(expected);
});

test.each([
  ["git log --output=f", ["writes f replaces"]],
  ["git diff --output f", ["writes f replaces"]],
  ["git reflog --output=f", ["writes f replaces"]],
  ["git archive -o f HEAD", ["writes f replaces"]],
  ["git bundle create f main", ["writes f replaces"]],
  ["git format-patch -o d HEAD~2", ["writes d creates"]],
  ["git worktree add d main", ["writes d creates new"]],
  ["git clone https://h/a/b.git", ["fetches https://h/a/b.git", "writes b creates …"]],
  ["git clone git@h:a/b.git d", ["fetches git@h:a/b.git", "writes d creates …"]],
  ["git diff --no-index a.txt ~/b", ["reads a.txt", "reads ~/b"]],
  ["git show HEAD:.env", ["reads .env"]],
  ["git show :0:.env", ["reads .env"]],
  ["git blame -L 1,2 a.ts", ["reads a.ts"]],
  ["git commit -F message.txt", ["reads message.txt"]],
  ["git rm -r src", ["deletes src deep deep"]],
  ["git mv a b", ["deletes a deep deep", "writes b replaces"]],
  ["git -C a -C ../b mv x /y", ["deletes a/../b/x deep deep", "writes /y replaces"]],
  ["git --git-dir=/x/.git log", ["loads /x/. other"]],
])("files that git reads and writes are reported relative to -C: %s", (line, expected) => {
  expect(effects(line)).toEqual(expected);
});

test.each([
  [
    "git frobnicate",
    "danger high git's command frobnicate is not known: it may be an alias or a program of somebody",
  ],
  ["git ?verb", "danger high what git is to do is only known when it runs"],
  [
    "git --exec-path=/x log",
    "danger high its option --exec-path names another directory for git's own programs",
  ],
])("a git command that cannot be identified is high: %s", (line, because) => {
  expect(effects(line)).toEqual([because]);
});

test("git apply reports the files of a patch on standard input", () => {
  const text = literal("--- a/x\n+++ b/.vscode/tasks.json\n@@ -1 +1 @@\n-a\n+b\n");
  const input = { text, flows: noFlows, isGiven: true };
  expect(told(effectsOf([git], "git apply", input))).toEqual(["writes .vscode/tasks.json edits"]);
});

const names = [...subcommands().keys()];
const around = { home: "/home/dev", workspace: "/home/dev/proj", directory: undefined };
const oddWord = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }).map(literal),
  fc
    .constantFrom("-c", "--", "-", "", "-O", "--exec=", "HEAD:", "::", "ext::", "drop", "a.b.c=d")
    .map(literal),
  fc.constant(unknownWord()),
  fc.constant({ ...literal("*"), isPattern: true }),
  fc.constant(literal("x".repeat(20_000))),
);

test("no row throws, whatever the arguments", () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(oddWord, { maxLength: 6 }), (verb, words) => {
      const call = {
        name: "git",
        variables: [],
        input: { text: undefined, flows: noFlows, isGiven: false },
        around,
      };
      const use = useOf(git, { ...call, words: [literal(verb), ...words] });
      expect([...git.does(use)]).toBeInstanceOf(Array);
    }),
    { numRuns: 2_000 },
  );
});
