/** What a command did to references is taken back, whatever else is in the repository; and nothing in it is read without end. */

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { recordReferences } from "./record-references.ts";
import { gitDirectoryOf, readReferences, repositoryIn } from "./repository.ts";
import { gitPlace } from "./testing/git-place.ts";

function made(...init: string[]) {
  const { workspace, env, git, script } = gitPlace(...init);
  git("commit", "-q", "--allow-empty", "-m", "first");
  const own = (path: string): string => join(workspace, ".git", path);
  const put = (path: string, text: string): void => writeFileSync(own(path), text);
  const place = repositoryIn(own(""), { workspace, env });
  const seen = (): string[] =>
    script([
      "set -e",
      "git for-each-ref --format='%(refname) %(symref) %(objectname)'",
      "git rev-parse --symbolic-full-name HEAD",
      "git stash list --format='%H %gs'",
    ])
      .split("\n")
      .filter((line) => !line.startsWith("refs/toolwright/"));
  return { git, script, own, put, place, seen, workspace };
}

type Made = ReturnType<typeof made>;
const commit = ({ git }: Made): string => git("commit", "-q", "--allow-empty", "-m", "second");
const stash = ({ git, workspace }: Made, message: string): void => {
  writeFileSync(join(workspace, "file"), message);
  git("add", "file");
  git("stash", "push", "-q", "-m", message);
};
const clean = ({ script }: Made): void =>
  void script(["set -e", "git reflog expire --expire=now --all", "git gc -q --prune=now"]);
const nothing = (): void => undefined;

type OddCase = [what: string, before: (it: Made) => void, command: (it: Made) => void, ...init: string[]];
const cases: OddCase[] = [
  [
    "a branch is moved below its own name",
    ({ git }) => git("branch", "a"),
    ({ git }) => git("branch", "-m", "a", "a/b"),
  ],
  [
    "a branch is moved above its own name",
    ({ git }) => git("branch", "a/b"),
    ({ git }) => git("branch", "-m", "a/b", "a"),
  ],
  [
    "the branch that is checked out is moved below its own name",
    nothing,
    ({ git }) => git("branch", "-m", "main/more"),
  ],
  [
    "a name has a space of another script",
    ({ git }) => git("branch", "a\u3000b"),
    ({ git }) => git("branch", "-D", "a\u3000b"),
  ],
  [
    "a name leads to what is gone",
    ({ put }) => put("refs/heads/gone", `${"1".repeat(40)}\n`),
    (it) => commit(it),
  ],
  [
    "names lead to each other",
    ({ put }) => {
      put("refs/heads/x", "ref: refs/heads/y\n");
      put("refs/heads/y", "ref: refs/heads/x\n");
    },
    (it) => commit(it),
  ],
  [
    "a name that leads to another is moved",
    ({ git }) => git("symbolic-ref", "refs/heads/link", "refs/heads/main"),
    ({ git }) => git("symbolic-ref", "refs/heads/link", "refs/heads/other"),
  ],
  [
    "a name that leads to another is gone",
    ({ git }) => git("symbolic-ref", "refs/heads/link", "refs/heads/main"),
    ({ git }) => git("symbolic-ref", "-d", "refs/heads/link"),
  ],
  ["a stash has a line separator in its message", (it) => stash(it, "a\u2028b"), (it) => stash(it, "other")],
  [
    "a stash is dropped, and cleaned up",
    (it) => stash(it, "one"),
    (it) => {
      it.git("stash", "drop", "-q");
      clean(it);
    },
  ],
  [
    "a commit is replaced, and cleaned up",
    nothing,
    (it) => {
      it.git("commit", "-q", "--amend", "--allow-empty", "-m", "other");
      clean(it);
    },
  ],
  [
    "hashes are long",
    ({ git }) => git("branch", "a"),
    ({ git }) => git("branch", "-D", "a"),
    "--object-format=sha256",
  ],
  [
    "all files of references are removed",
    ({ git }) => git("branch", "a"),
    ({ own }) => {
      rmSync(own("refs"), { recursive: true });
      mkdirSync(own("refs"));
    },
  ],
];

test.each(cases)("it is taken back when %s", async (_, before, command, ...init) => {
  const it = made(...init);
  before(it);
  const was = it.seen();
  const record = await recordReferences([{ path: ".git/references", repository: it.place }]);
  command(it);
  expect((await record.changes()).changes).toHaveLength(1);
  expect(await record.takeBack()).toEqual([]);
  expect(it.seen()).toEqual(was);
});

test("a lock that a stopped git left is named, and nothing is moved until it is gone", async () => {
  const { git, own, put, place, seen } = made();
  git("branch", "side");
  const was = seen();
  const record = await recordReferences([{ path: ".git/references", repository: place }]);
  git("checkout", "-q", "side");
  const moved = seen();
  put("HEAD.lock", "");
  expect(await record.takeBack()).toEqual([expect.stringContaining(".git/HEAD.lock")]);
  expect(seen()).toEqual(moved);
  rmSync(own("HEAD.lock"));
  expect(await record.takeBack()).toEqual([]);
  expect(seen()).toEqual(was);
});

test("a tree that leads to a repository which does not know it has none, and others have theirs", async () => {
  const { git, own, put, workspace } = made();
  const beside = (name: string): string => join(dirname(workspace), name);
  git("worktree", "add", "-q", "--detach", beside("linked"));
  expect(await gitDirectoryOf(beside("linked"))).toBe(own("worktrees/linked"));
  git("init", "-q", "--separate-git-dir", join(beside("apart"), "kept"), beside("apart"));
  expect(await gitDirectoryOf(beside("apart"))).toBe(join(beside("apart"), "kept"));
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", workspace, "sub");
  expect(await gitDirectoryOf(join(workspace, "sub"))).toBe(own("modules/sub"));

  const evil = beside("evil");
  mkdirSync(join(evil, "made"), { recursive: true });
  for (const directory of [own(""), own("worktrees/linked"), own("modules/sub"), join(evil, "made")]) {
    writeFileSync(join(evil, ".git"), `gitdir: ${directory}\n`);
    writeFileSync(join(evil, "made/commondir"), own(""));
    writeFileSync(join(evil, "made/gitdir"), join(evil, ".git"));
    expect(await gitDirectoryOf(evil), directory).toBeUndefined();
  }
  rmSync(join(evil, ".git"));
  git("init", "-q", evil);
  expect(await gitDirectoryOf(evil)).toBe(join(evil, ".git"));
  rmSync(join(evil, ".git/refs"), { recursive: true });
  symlinkSync(own("refs"), join(evil, ".git/refs"));
  expect(await gitDirectoryOf(evil)).toBeUndefined();
  put("commondir", "../other");
  expect(await gitDirectoryOf(workspace)).toBeUndefined();
});

/** Without the mending this fills all memory. */
const endless = ["refs/heads/x", "HEAD", "packed-refs"];

test.runIf(process.platform === "linux").each(endless)(
  "%s that leads to a device is read neither by us nor by git",
  async (path) => {
    const { git, own, place } = made();
    git("branch", "odd\u3000name"); // git is asked, then
    const record = await recordReferences([{ path: ".git/references", repository: place }]);
    rmSync(own(path), { force: true });
    symlinkSync("/dev/zero", own(path));
    expect((await record.changes()).changes).toEqual([]);
    expect(await record.takeBack()).toEqual([]);
    for (const settle of record.settling) await settle();
    if (path !== "HEAD") expect(await readReferences(place)).toBeUndefined();
  },
);
