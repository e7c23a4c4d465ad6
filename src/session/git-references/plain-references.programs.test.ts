import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { scale } from "../../testing/scale.ts";
import { plainReferences, plainStash } from "./plain-references.ts";
import { readReferences, repositoryIn } from "./repository.ts";
import { gitPlace } from "./testing/git-place.ts";

function made(...init: string[]) {
  const { workspace, env, git, script } = gitPlace(...init);
  git("commit", "-q", "--allow-empty", "-m", "first");
  const directory = join(workspace, ".git");
  return { workspace, git, script, directory, place: { workspace, env } };
}

/** What git itself says, one line each. */
const listedBy = (git: (...words: string[]) => string): string[] =>
  git("for-each-ref", "--format=%(refname) %(symref) %(objectname)")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("refs/toolwright/"))
    .map((line) => line.replace(/ (\S+) \S+$/, " $1").replace("  ", " "));

const linesOf = (read: Awaited<ReturnType<typeof plainReferences>>): string[] | undefined =>
  read && [...read.names].map(([name, value]) => `${name} ${value}`);

const steps = [
  "git branch -f a/b",
  "git branch -f é",
  "git branch -f Zz-1.x",
  "git tag -f light",
  "git tag -f -am words v1",
  "git commit -q --allow-empty -m more",
  "git pack-refs --all",
  "git branch -D a/b",
  "git update-ref refs/toolwright/1-a/before HEAD",
  "git symbolic-ref refs/remotes/origin/HEAD refs/heads/Zz-1.x",
  "git checkout -q --detach",
  "git checkout -q main",
];

test("git's own files say what git says, whatever was done before", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 4, maxLength: 14 }), async (lines) => {
      const { git, script, directory } = made();
      script(lines); // in some there is no such branch yet
      expect(linesOf(await plainReferences({ directory, common: directory }))).toEqual(listedBy(git));
    }),
    { numRuns: 8 * scale },
  );
});

test("a stash is read from its log, the newest first", async () => {
  const { git, directory, workspace } = made();
  for (const message of ["one", "two words\ttab"]) {
    writeFileSync(join(workspace, "a"), message);
    git("add", "a");
    git("stash", "push", "-q", "-m", message);
  }
  const stash = await plainStash({ directory, common: directory });
  expect(stash?.map(({ hash, message }) => `${hash} ${message}`)).toEqual(
    git("stash", "list", "--format=%H %gs").trimEnd().split("\n"),
  );
});

test("a linked working tree has what all share, and what is its own", async () => {
  const { git, directory, workspace, place } = made();
  const other = `${workspace}-linked`;
  onTestFinished(() => rmSync(other, { recursive: true }));
  git("worktree", "add", "-q", other);
  git("-C", other, "update-ref", "refs/worktree/own", "HEAD");
  git("update-ref", "refs/bisect/bad", "HEAD");
  const linked = repositoryIn(join(directory, "worktrees", other.slice(other.lastIndexOf("/") + 1)), place);
  expect(linked.common).toBe(directory);
  const inOther = (...words: string[]): string => git("-C", other, ...words);
  expect(linesOf(await plainReferences(linked))).toEqual(listedBy(inOther));
  expect((await readReferences(linked))?.head).toBe(inOther("symbolic-ref", "HEAD").trim());
  expect(linesOf(await plainReferences({ directory, common: directory }))).toEqual(listedBy(git));
});

test("what is odd is left to git, and nothing hangs", async () => {
  const { directory, place } = made();
  const read = () => plainReferences({ directory, common: directory });
  const known = await readReferences(repositoryIn(directory, place));
  const heads = join(directory, "refs/heads");
  symlinkSync("main", join(heads, "link"));
  expect(await read()).toBeUndefined();
  rmSync(join(heads, "link"));
  for (const odd of ["not a hash\n", "0".repeat(40), "ref: HEAD\n", `ref: refs/heads/odd\n`]) {
    writeFileSync(join(heads, "odd"), odd);
    expect(await read(), odd).toBeUndefined();
  }
  rmSync(join(heads, "odd"));
  execFileSync("mkfifo", [join(heads, "pipe")]);
  expect(await read()).toBeUndefined();
  rmSync(join(heads, "pipe"));
  // In another format git has no files that tell names; here it is only called so, and git can still tell.
  mkdirSync(join(directory, "reftable"));
  expect(await read()).toBeUndefined();
  expect(await readReferences(repositoryIn(directory, place))).toEqual(known);
  renameSync(join(directory, "reftable"), join(directory, "other"));
  rmSync(join(directory, "index"));
  execFileSync("mkfifo", [join(directory, "index")]);
  expect(await readReferences(repositoryIn(directory, place))).toEqual({ ...known, index: undefined });
});
