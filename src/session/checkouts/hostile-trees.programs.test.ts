/** Trees in which somebody has made what git stumbles over, or what leads it elsewhere: with a real git. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { orThrow } from "../../base/expected.ts";
import { checkoutBounds } from "./bounds.ts";
import { Checkouts } from "./checkouts.ts";
import { gitAt, testRepository } from "./testing/repository.ts";

const id = "20261130-040000-abcdef";

async function begun() {
  const repository = testRepository({ "a.txt": "a\n" });
  const { root, address } = repository;
  const cache = join(root, "cache");
  const checkouts = new Checkouts({
    directory: join(root, "checkouts"),
    cache,
    owner: "us",
    protocols: ["file"],
    env: { PATH: process.env["PATH"], HOME: root },
  });
  const place = orThrow(await checkouts.make(id, { repository: address }));
  const tree = place.workspace;
  const put = (path: string, text: string): void => writeFileSync(join(tree, path), text);
  const keep = (title = "Work") => checkouts.keep(place, { title, known: undefined });
  const patch = () => checkouts.outcome(place, { title: "Work", wanted: { as: "patch" } });
  /** The tree, made again from what is kept of it. */
  const again = async () => {
    const bytes = orThrow(await keep())?.bytes;
    rmSync(tree, { recursive: true });
    return checkouts.ensure(place, { hash: "one", work: async () => bytes });
  };
  return { ...repository, checkouts, place, tree, cache, put, keep, patch, again };
}

test("a title of any characters and any length is no reason not to keep the work", async () => {
  const { tree, put, keep } = await begun();
  for (const [at, title] of ["a\0b", "x".repeat(200_000), "--help", ""].entries()) {
    put("a.txt", `${at}\n`);
    const commit = orThrow(await keep(title))?.commit;
    expect(commit, title.slice(0, 9)).toMatch(/^[0-9a-f]{40}$/u);
  }
  expect(readFileSync(join(tree, "a.txt"), "utf8")).toBe("3\n");
});

test("a repository inside the tree is left out, with a commit or without, and everything else is taken", async () => {
  const { tree, put, patch } = await begun();
  put("b.txt", "b\n");
  for (const name of ["unborn", "odd [name]\n"]) {
    mkdirSync(join(tree, name));
    gitAt(join(tree, name), "init", "--quiet");
    put(`${name}/inside`, "inside\n");
  }
  gitAt(join(tree, "odd [name]\n"), "add", "--all");
  gitAt(join(tree, "odd [name]\n"), "commit", "--quiet", "--message", "inside");
  const made = orThrow(await patch()).patch ?? "";
  expect(made.match(/^diff .*$/gmu)).toEqual(["diff --git a/b.txt b/b.txt"]);
});

test.runIf(process.platform === "linux").each([".gitignore", "below/.gitattributes"])(
  "a FIFO in the place of %s is told of, and holds nothing up",
  async (path) => {
    const { tree, put, keep } = await begun();
    mkdirSync(join(tree, "below"));
    put("below/b.txt", "b\n");
    execFileSync("mkfifo", [join(tree, path)]);
    expect(await keep()).toEqual({
      ok: false,
      problem: expect.stringContaining("a FIFO is where git reads"),
    });
    rmSync(join(tree, path));
    expect((await keep()).ok).toBe(true);
  },
);

test("a tree whose repository leads to another one is not read: that one's contents would become its work", async () => {
  const { root, tree, keep } = await begun();
  const other = join(root, "other");
  mkdirSync(other);
  gitAt(other, "init", "--quiet", "--initial-branch=secret");
  gitAt(other, "commit", "--quiet", "--allow-empty", "--message", "secret");
  const own = join(tree, ".git");
  const ways: [string, () => void][] = [
    ["commondir", () => writeFileSync(join(own, "commondir"), join(other, ".git"))],
    [
      "objects/info/alternates",
      () => writeFileSync(join(own, "objects/info/alternates"), join(other, ".git/objects")),
    ],
    [
      "refs/heads/secret",
      () => symlinkSync(join(other, ".git/refs/heads/secret"), join(own, "refs/heads/secret")),
    ],
    ["packed-refs", () => symlinkSync(join(other, ".git/packed-refs"), join(own, "packed-refs"))],
  ];
  for (const [path, lead] of ways) {
    mkdirSync(join(own, "objects/info"), { recursive: true });
    lead();
    const problem = `The checkout cannot be read: its .git/${path} leads to another repository.`;
    expect(await keep()).toEqual({ ok: false, problem });
    rmSync(join(own, path));
  }
  expect((await keep()).ok).toBe(true);
});

test("branches whose names have spaces of other scripts come back with the tree", async () => {
  const { tree, again } = await begun();
  gitAt(tree, "branch", "a\u3000b");
  gitAt(tree, "switch", "--quiet", "--create", "c\u00A0d");
  expect(await again()).toEqual({ ok: true, value: "made" });
  expect(gitAt(tree, "branch", "--format=%(refname:short)").split("\n")).toContain("a\u3000b");
  expect(gitAt(tree, "symbolic-ref", "--short", "HEAD")).toBe("c\u00A0d");
});

test("a branch below the name of one that is gone comes back with the tree", async () => {
  const { checkouts, place, tree, keep } = await begun();
  const names = () => gitAt(tree, "branch", "--format=%(refname:short)").split("\n");
  gitAt(tree, "branch", "a/b");
  gitAt(tree, "branch", "c");
  const bytes = orThrow(await keep())?.bytes;
  const kept = names();
  gitAt(tree, "branch", "--move", "a/b", "a");
  gitAt(tree, "branch", "--move", "c", "c/d");
  orThrow(await keep());
  rmSync(tree, { recursive: true });
  const made = await checkouts.ensure(place, { hash: "one", work: async () => bytes });
  expect([made, names()]).toEqual([{ ok: true, value: "made" }, kept]);
});

test("what a fetch left that was stopped long ago is removed by the next one", async () => {
  const { cache, checkouts, address } = await begun();
  const [repository = ""] = execFileSync("ls", [cache], { encoding: "utf8" }).split("\n");
  const pack = join(cache, repository, "objects", "pack");
  const [left, fresh] = [join(pack, "tmp_pack_left"), join(pack, "tmp_pack_fresh")];
  for (const path of [left, fresh]) writeFileSync(path, "half");
  const longAgo = (Date.now() - checkoutBounds.gitTime.most) / 1_000 - 60;
  utimesSync(left, longAgo, longAgo);
  orThrow(await checkouts.make("20261130-040001-abcdee", { repository: address }));
  expect([existsSync(left), existsSync(fresh)]).toEqual([false, true]);
});
