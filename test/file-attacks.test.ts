import { link, mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { snapshot } from "../src/base/safe-fs/testing/tree.ts";
import { attacked, type Attacked, changingCalls, readingCalls } from "./support/attacked.ts";

/** A workspace with links of every kind that lead out, and plain files beside them. */
async function linked(): Promise<Attacked> {
  const session = await attacked();
  const { at, place } = session;
  await mkdir(at("d/deep"), { recursive: true });
  await writeFile(at("a"), "here");
  await writeFile(at("moved"), "moved");
  await symlink("/etc", at("etc"));
  await symlink("../outside", at("out"));
  await symlink(join(place, "outside"), at("out-absolute"));
  await symlink("../root-evil", at("evil"));
  await symlink("evil", at("chain"));
  await symlink("loop", at("loop"));
  await symlink("/", at("slash"));
  await symlink("../not-there", at("dangling"));
  await symlink("/proc/self/cwd", at("d/cwd"));
  for (let i = 0; i < 60; i++) await symlink(i === 59 ? "a" : `long-${i + 1}`, at(`long-${i}`));
  return session;
}

const leadingOut: readonly string[] = [
  "../outside",
  "../../etc/passwd",
  "../root-evil/x",
  "a/../../outside",
  "d/./../..//outside",
  "d/deep/../../../root-evil/x",
  "..",
  "../",
  "/",
  "//",
  "/etc/passwd",
  "//etc/passwd",
  "/./etc/passwd",
  "/proc/self/environ",
  "/proc/self/cwd/a",
  "/proc/self/root/etc/passwd",
  "/proc/thread-self/root/etc/passwd",
  "/proc/1/environ",
  "/proc/self/fd/0",
  "/dev/zero",
  "/dev/null",
  "/dev/tty",
  "/dev/fd/0",
  "/dev/stdin",
  "/sys/kernel/uevent_seqnum",
  "etc/passwd",
  "./etc/passwd",
  "d/../etc/passwd",
  "out",
  "out-absolute",
  "evil/x",
  "chain/x",
  "dangling",
  "loop",
  "loop/x",
  "slash/etc/passwd",
  "slash/proc/self/environ",
  "slash/dev/zero",
  "d/cwd/a",
  "long-0",
  "~",
  "~/.ssh/id_rsa",
  "file:///etc/passwd",
  "FILE:///etc/passwd",
  "https://example.com/a",
  "",
  "a\0b",
];

test.each(leadingOut)(
  "SAFETY 4, paths and links that lead out: %j is refused by every tool, and nothing is read or changed",
  async (path) => {
    const { calls, place } = await linked();
    const before = await snapshot(place);
    const asked = [...readingCalls(path), ...changingCalls(path, { old: "here", moved: "moved" })];
    const told = await calls(asked);
    expect(told).toHaveLength(asked.length);
    for (const [at, { outcome, words }] of told.entries()) {
      expect(outcome, `${JSON.stringify(asked[at])}: ${words}`).not.toBe("ok");
      expect(words).not.toMatch(/secret|root:/);
    }
    expect(await snapshot(place)).toEqual(before);
  },
);

const literal: readonly string[] = [
  "$HOME",
  "${HOME}/.ssh/x",
  "%APPDATA%",
  "%USERPROFILE%/x",
  "$(id)",
  "`id`",
  "~root",
  "~+",
  "a~/x",
  "file:/etc/passwd",
  "file:etc",
  "C:x",
  "C:/x",
  "C:\\x",
  "\\\\h\\s",
  "\\\\?\\C:\\x",
  "\\\\.\\pipe\\x",
  "..\\outside",
  "d\\..\\..\\outside",
  "d/b:c",
  "con",
  "nul.txt",
  "*",
  "{a,b}",
  "-",
  "--help",
  "-rf",
  "@file",
  "|id",
  "a;b",
  " a",
  "a ",
  "a\tb",
  "ünï/码",
  "..a",
  "...",
  "a..",
];

test("SAFETY 4, nothing is expanded: names with a meaning to shells or other systems are ordinary file names", async () => {
  const { calls, call, at, place } = await linked();
  const outside = async (): Promise<unknown> =>
    Object.entries(await snapshot(place)).filter(([path]) => !path.startsWith("root/"));
  const before = await outside();
  for (const path of literal) {
    const told = await calls([
      ["write_file", { path, content: "plain\n" }],
      ["edit_file", { path, old: "plain", new: "edited" }],
      ["read_file", { path }],
      ["search_workspace", { pattern: "edited", path }],
    ]);
    expect(
      told.map(({ outcome }) => outcome),
      `${path}: ${JSON.stringify(told)}`,
    ).toEqual(Array(4).fill("ok"));
    expect(told[2]?.words, path).toBe("1\tedited");
    expect(told[3]?.words, path).toBe(`${path}:1: edited`);
    expect(await readFile(at(path), "utf8")).toBe("edited\n");
    const [first = ""] = path.split("/");
    expect((await call("list_files", { depth: 1 })).words.split("\n")).toContain(
      path.includes("/") ? `${first}/` : path,
    );
  }
  expect(await outside()).toEqual(before);
  await expect(readFile(join(homedir(), ".ssh/x"), "utf8")).rejects.toThrow("ENOENT");
});

/** Names that some file system treats as `.git`, or that lead into it. */
const gits: readonly string[] = [
  ".git",
  ".GIT",
  ".Git",
  ".gIt",
  ".git.",
  ".git..",
  ".git ",
  ".git  ",
  ".git. .",
  ".git .",
  ".GIT. ",
  ".git:",
  ".git::$INDEX_ALLOCATION",
  ".git:$I30:$INDEX_ALLOCATION",
  ".git::$DATA",
  ".GIT::$Index_Allocation",
  ".git :x",
  "GIT~1",
  "git~1",
  "Git~1",
  "GIT~1.",
  "GIT~1 ",
  "GIT~1::$INDEX_ALLOCATION",
  "GIT~2",
  "git~9",
  ".g\u200Cit",
  ".\u200Dgit",
  "\u200C.git",
  ".git\u200E",
  ".gi\u200Ft",
  ".g\u202Ait",
  ".g\u202Cit",
  ".g\u202Eit",
  ".g\u206Ait",
  ".g\u206Fit",
  ".git\uFEFF",
  "\uFEFF.git",
  ".g\u200Bit",
  ".g\u2060it",
  ".G\u200CI\u200DT.",
  ".gıt",
  ".GIT\u200C ",
];

/** Paths inside `.git`, and paths that lead there. */
const inGit: readonly string[] = [
  ".git/config",
  ".git/commondir",
  ".git/config.worktree",
  ".git/hooks/pre-commit",
  ".git/modules/sub/config",
  ".git/worktrees/w/gitdir",
  ".git/HEAD",
  ".git/objects/info/alternates",
  "./.git/config",
  ".//.git//config",
  "d/../.git/config",
  ".git/../.git/config",
  "d/./../.git/./hooks/post-checkout",
  ".git\\config",
  ".git\\hooks\\pre-commit",
  "d\\..\\.git\\config",
  "sub/.git",
  "sub/.git/config",
  "sub/.GIT/config",
  "sub/deep/.git./hooks/x",
  "link/config",
  "link/hooks/x",
  "to-config",
  "d/to-hooks/pre-commit",
  "worktree/.git",
  ".husky/pre-commit",
  ".HUSKY/_/h",
  "node_modules/.bin/tsc",
  "NODE_M~1/x/index.js",
  "sub/Node_Modules/x/index.js",
];

const gitSpellings = [...gits.flatMap((name) => [name, `${name}/config`, `d/${name}`]), ...inGit];

test(`SAFETY 4, .git in ${gitSpellings.length} spellings: no tool that changes files reaches it, not even in a preview`, async () => {
  const { session, calls, at, place } = await linked();
  for (const directory of [".git/hooks", ".git/modules/sub", ".git/worktrees/w", "sub/deep", "worktree"])
    await mkdir(at(directory), { recursive: true });
  for (const file of [".git/config", ".git/HEAD", ".git/commondir", ".git/hooks/pre-commit", "sub/.git"])
    await writeFile(at(file), "old\n");
  await writeFile(at("worktree/.git"), "gitdir: ../.git/worktrees/w\n");
  await symlink(".git", at("link"));
  await symlink(".git/config", at("to-config"));
  await symlink("../.git/hooks", at("d/to-hooks"));
  const before = await snapshot(place);
  for (const path of gitSpellings) {
    const asked = changingCalls(path, { old: "old", moved: "moved" });
    for (const [at, { outcome, words }] of (await calls(asked)).entries())
      expect(outcome, `${JSON.stringify(asked[at])}: ${words}`).toBe("denied");
    expect(await session.command({ type: "undo", paths: [path] })).toMatchObject({ ok: false });
  }
  expect(await snapshot(place)).toEqual(before);
});

test("SAFETY 4, .git: names that merely resemble it can be written like any other", async () => {
  const { calls, at } = await linked();
  for (const path of [".gitignore", "git", "git~", "d/x.git", ".git-x", "..git", ".githooks/x", "a.git.b"]) {
    const told = await calls([["write_file", { path, content: "mine" }]]);
    expect(told, path).toMatchObject([{ outcome: "ok" }]);
    expect(await readFile(at(path), "utf8")).toBe("mine");
  }
});

test("SAFETY 4, hard link to an outside file: no tool that writes changes the outside file, and reading warns", async () => {
  const { call, calls, at, place } = await attacked();
  const asked = changingCalls("linked", { old: "secret", moved: "moved" });
  for (const [tool, input] of asked) {
    const { session, ...one } = await attacked();
    await link(join(one.place, "outside"), one.at("linked"));
    await writeFile(one.at("moved"), "moved");
    const [read, told] = await one.calls([
      ["read_file", { path: "linked" }],
      [tool, input],
    ]);
    expect(read?.words).toMatch(/^1\tsecret\n\[linked has 2 names \(hard links\), perhaps outside/);
    const token = told?.token;
    const applied = token === undefined ? told : await one.call("apply_file_change", { token });
    const what = JSON.stringify([tool, input, applied]);
    if (applied?.outcome !== "ok") expect(applied?.words, what).toMatch(/There is a file linked already/);
    else
      expect(await snapshot(one.root), what).not.toMatchObject({
        linked: "file 644 secret",
        moved: "file 644 moved",
      });
    expect(await readFile(join(one.place, "outside"), "utf8"), what).toBe("secret");
    await session.command({ type: "undo" });
    expect(await readFile(join(one.place, "outside"), "utf8"), what).toBe("secret");
    expect(await readFile(one.at("linked"), "utf8"), what).toBe("secret");
  }
  await link(join(place, "outside"), at("mode"));
  expect(await call("write_file", { path: "mode", content: "secret" })).toMatchObject({ outcome: "ok" });
  expect(await calls([["search_workspace", { pattern: "secret" }]])).toMatchObject([
    { words: "mode:1: secret" },
  ]);
});

test("SAFETY 4, swap between check and use: a directory put in place of the workspace is neither read nor changed", async () => {
  const { calls, at, place, root, session } = await linked();
  for (const path of ["a", "moved", "d/deep/x"]) await writeFile(at(path), "here\n");
  await rename(root, join(place, "away"));
  await mkdir(join(root, "d/deep"), { recursive: true });
  for (const path of ["a", "moved", "d/deep/x", "only"]) await writeFile(at(path), "secret\n");
  const before = await snapshot(root);
  const asked = ["a", "d/deep/x", "only", "new"].flatMap((path) => [
    ...readingCalls(path),
    ...changingCalls(path, { old: "secret", moved: "moved" }),
  ]);
  for (const { words } of await calls([...asked, ["search_workspace", { pattern: "^secret" }]]))
    expect(words).not.toMatch(/\d+[:\t] ?secret/);
  await session.command({ type: "undo" });
  expect(await snapshot(root)).toEqual(before);
});
