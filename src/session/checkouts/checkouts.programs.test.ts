/** Checkouts, with a real git and repositories on disk. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { orThrow } from "../../base/expected.ts";
import { type CheckoutPlace, Checkouts } from "./checkouts.ts";
import { gitAt, testRepository } from "./testing/repository.ts";

type Repository = ReturnType<typeof testRepository>;

const machine = ({ root }: Repository, name = "one", owner = "us"): Checkouts =>
  new Checkouts({
    directory: join(root, "checkouts"),
    cache: join(root, `cache-${name}`),
    owner,
    protocols: ["file"],
    env: { PATH: process.env["PATH"], HOME: root },
  });

const make = async (
  checkouts: Checkouts,
  id: string,
  source: Parameters<Checkouts["make"]>[1],
): Promise<CheckoutPlace> => orThrow(await checkouts.make(id, source));

const keep = async (checkouts: Checkouts, place: CheckoutPlace) =>
  orThrow(await checkouts.keep(place, { title: "Work", known: undefined }));

const stored = (bytes: Uint8Array | undefined, hash = "one") => ({ hash, work: async () => bytes });

test("a session gets a tree of its own, on a branch of its own, of what the repository proposes", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const commit = repository.git("rev-parse", "HEAD");
  const checkouts = machine(repository);
  const { workspace, checkout } = await make(checkouts, "20261130-040000-abcdef", {
    repository: repository.address,
  });
  expect(checkout).toEqual({ repository: repository.address, commit, branch: "toolwright/abcdef" });
  expect(workspace).toBe(join(repository.root, "checkouts", "20261130-040000-abcdef", "shop"));
  expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a\n");
  expect(gitAt(workspace, "status", "--porcelain=v1", "--branch")).toBe("## toolwright/abcdef");
  expect(gitAt(workspace, "remote", "get-url", "origin")).toBe(repository.address);
  expect(existsSync(join(workspace, ".git", "objects", "info", "alternates"))).toBe(false);
});

test("a branch, a tag, a commit and a subdirectory can be named", async () => {
  const repository = testRepository({ "packages/shop/a.txt": "first\n" });
  const first = repository.git("rev-parse", "HEAD");
  repository.git("tag", "-m", "one", "v1");
  repository.git("push", "--quiet", repository.address, "v1");
  repository.git("switch", "--quiet", "--create", "side");
  const side = repository.commit({ "packages/shop/a.txt": "side\n" });
  const checkouts = machine(repository);
  const cases = [
    ["side", side, "side\n"],
    ["refs/heads/side", side, "side\n"],
    ["v1", first, "first\n"],
    [first, first, "first\n"],
  ] as const;
  for (const [at, [ref, commit, text]] of cases.entries()) {
    const source = { repository: repository.address, ref, subdirectory: "packages/shop" };
    const { workspace, checkout } = await make(checkouts, `session-${at}`, source);
    expect(checkout.commit).toBe(commit);
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe(text);
  }
});

test("what cannot be checked out is refused with what to do, leaves nothing, and repeats no password", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  symlinkSync("/etc", join(repository.source, "out"));
  repository.commit({});
  const checkouts = machine(repository);
  const { address } = repository;
  const cases: [Parameters<Checkouts["make"]>[1], RegExp][] = [
    [{ repository: "https://ann:s3cret@git.example/a.git" }, /over https are not fetched here/u],
    [{ repository: "ext::sh -c s3cret" }, /no address of a git repository/u],
    [{ repository: "/srv/shop.git" }, /no address/u],
    [{ repository: "--upload-pack=s3cret" }, /no address/u],
    [{ repository: "file://server/a.git" }, /names no repository/u],
    [{ repository: `${address}?s3cret` }, /no part behind/u],
    [{ repository: address, ref: "--exec=x" }, /cannot be a branch/u],
    [{ repository: address, ref: "a:b" }, /cannot be a branch/u],
    [
      { repository: address, ref: "none" },
      /"none" of the repository cannot be fetched: .*couldn't find remote ref/u,
    ],
    [{ repository: address, subdirectory: "../.." }, /no directory in a repository/u],
    [{ repository: address, subdirectory: ".git" }, /no directory in a repository/u],
    [{ repository: address, subdirectory: "a.txt" }, /has no directory "a.txt"/u],
    [{ repository: address, subdirectory: "out" }, /has no directory "out"/u],
    [
      { repository: `file://${repository.root}/missing.git` },
      /cannot be fetched: .*does not appear to be a git repository/u,
    ],
  ];
  for (const [source, words] of cases) {
    const made = await checkouts.make("session", source);
    expect([source, made]).toEqual([source, { ok: false, problem: expect.stringMatching(words) }]);
    expect(JSON.stringify(made)).not.toContain("s3cret");
  }
  expect(await checkouts.trees()).toEqual([]);
});

test("logins and options in addresses are refused whatever the protocol", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const checkouts = new Checkouts({
    directory: join(repository.root, "c"),
    cache: join(repository.root, "r"),
    owner: "us",
    protocols: ["https", "ssh"],
    env: {},
  });
  for (const address of [
    "https://ann:s3cret@git.example/a",
    "https://s3cret@git.example/a",
    "ssh://git:s3cret@git.example/a",
  ]) {
    const made = await checkouts.make("session", { repository: address });
    expect(made).toEqual({
      ok: false,
      problem: expect.stringMatching(/^The address holds a login\. Leave it out/u),
    });
  }
  // What ssh would take for an option.
  for (const address of ["ssh://-oX=y@host/a", "ssh://%2DoX=y@host/a", "ssh://-oX=y/a", "-oX@host:a"])
    expect(await checkouts.make("session", { repository: address }), address).toEqual({
      ok: false,
      problem: expect.stringMatching(/^The address names no host|^That is no address/u),
    });
});

test("a hostile repository runs nothing and writes nowhere else", async () => {
  const repository = testRepository({
    "a.txt": "a\n",
    ".gitattributes": "* filter=evil diff=evil merge=evil text\n",
    ".gitmodules": `[submodule "x"]\n\tpath = x\n\turl = ext::touch hit\n`,
    ".lfsconfig": "[lfs]\n\turl = https://evil.example\n",
  });
  const evil = join(repository.root, "evil");
  writeFileSync(evil, `#!/bin/sh\necho hit >> ${repository.root}/hit\ncat\n`);
  chmodSync(evil, 0o755);
  symlinkSync(repository.root, join(repository.source, "out"));
  symlinkSync(".git", join(repository.source, "git"));
  repository.commit({ "hooks/post-checkout": "#!/bin/sh\ntouch hit\n" });
  // Settings of the person, as git-lfs makes them, would run a program for each file.
  writeFileSync(
    join(repository.root, ".gitconfig"),
    `[filter "evil"]\n\tsmudge = ${evil}\n\tclean = ${evil}\n\trequired = true\n[core]\n\thooksPath = ${repository.source}/hooks\n`,
  );
  const checkouts = machine(repository);
  const place = await make(checkouts, "session", { repository: repository.address });
  // Its own settings may have been changed by an approved command.
  const config = join(place.workspace, ".git", "config");
  for (const key of [
    "core.fsmonitor",
    "filter.evil.clean",
    "diff.evil.command",
    "core.sshCommand",
    "core.alternateRefsCommand",
    "uploadpack.packObjectsHook",
  ])
    gitAt(place.workspace, "config", "--file", config, key, evil);
  writeFileSync(join(place.workspace, "a.txt"), "changed\n");
  expect((await keep(checkouts, place))?.bytes.length).toBeGreaterThan(0);
  expect(orThrow(await checkouts.outcome(place, { title: "Work", wanted: { as: "patch" } })).patch).toContain(
    "+changed",
  );
  expect(existsSync(join(repository.root, "hit"))).toBe(false);
  expect(readdirSync(repository.root).toSorted()).toEqual([
    ".gitconfig",
    "cache-one",
    "checkouts",
    "evil",
    "shop.git",
    "source",
  ]);
});

test("work is stored and made again on another machine: branches, commits, files staged or not, and what was deleted", async () => {
  const repository = testRepository({
    "a.txt": "a\n",
    "b.txt": "b\n",
    "c.txt": "c\n",
    ".gitignore": "ignored\n",
  });
  const one = machine(repository);
  const place = await make(one, "session", { repository: repository.address });
  const { workspace } = place;
  writeFileSync(join(workspace, "a.txt"), "committed\n");
  gitAt(workspace, "commit", "--quiet", "--all", "--message", "Mine");
  gitAt(workspace, "branch", "other");
  gitAt(workspace, "tag", "mark");
  const committed = gitAt(workspace, "rev-parse", "HEAD");
  writeFileSync(join(workspace, "b.txt"), "staged\n");
  gitAt(workspace, "add", "b.txt");
  mkdirSync(join(workspace, "new"));
  writeFileSync(join(workspace, "new", "d.sh"), "#!/bin/sh\n", { mode: 0o755 });
  symlinkSync("a.txt", join(workspace, "link"));
  writeFileSync(join(workspace, "ignored"), "x\n");
  rmSync(join(workspace, "c.txt"));
  const kept = await keep(one, place);
  expect(await one.keep(place, { title: "Work", known: kept?.state })).toEqual({
    ok: true,
    value: undefined,
  });
  await one.remove("session");
  expect(await one.trees()).toEqual([]);

  const other = machine(repository, "other");
  expect(orThrow(await other.ensure(place, stored(kept?.bytes)))).toBe("made");
  expect(orThrow(await other.ensure(place, undefined))).toBe("there");
  expect(gitAt(workspace, "rev-parse", "HEAD", "other", "mark")).toBe(
    [committed, committed, committed].join("\n"),
  );
  expect(gitAt(workspace, "status", "--porcelain=v1", "--branch").split("\n")).toEqual([
    "## toolwright/ession",
    " M b.txt",
    " D c.txt",
    "?? link",
    "?? new/",
  ]);
  expect(readFileSync(join(workspace, "b.txt"), "utf8")).toBe("staged\n");
  expect(existsSync(join(workspace, "ignored"))).toBe(false);
  const again = await keep(other, place);
  expect(again?.commit).toBe(kept?.commit);
});

test("a tree without stored work is made again as it was at first, also when its branch went on", async () => {
  const repository = testRepository({ "a.txt": "first\n" });
  const one = machine(repository);
  const place = await make(one, "session", { repository: repository.address, ref: "main" });
  await one.remove("session");
  repository.commit({ "a.txt": "later\n" });
  expect(orThrow(await machine(repository, "other").ensure(place, undefined))).toBe("made");
  expect(readFileSync(join(place.workspace, "a.txt"), "utf8")).toBe("first\n");
});

test("a tree whose session went on on another machine is made again, and one that was stored here is not", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const one = machine(repository);
  const place = await make(one, "session", { repository: repository.address });
  const file = join(place.workspace, "a.txt");
  writeFileSync(file, "elsewhere\n");
  const kept = await keep(one, place);
  writeFileSync(file, "here\n");
  for (const hash of ["one", "later"]) await one.noteStored("session", hash);
  expect(orThrow(await one.ensure(place, stored(kept?.bytes)))).toBe("there");
  expect(readFileSync(file, "utf8")).toBe("here\n");
  expect(orThrow(await one.ensure(place, stored(kept?.bytes, "two")))).toBe("made");
  expect(readFileSync(file, "utf8")).toBe("elsewhere\n");
  expect(orThrow(await one.ensure(place, stored(kept?.bytes, "two")))).toBe("there");
});

test("what is too large is not stored, and what stands in the way is set aside", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const one = machine(repository);
  const place = await make(one, "session", { repository: repository.address });
  const large = join(place.workspace, "large");
  writeFileSync(large, "");
  truncateSync(large, 65 * 1024 * 1024);
  expect(await one.keep(place, { title: "Work", known: undefined })).toEqual({
    ok: false,
    problem: expect.stringMatching(/what has changed is too large/u),
  });
  rmSync(join(place.workspace, ".git"), { recursive: true });
  expect(orThrow(await one.ensure(place, undefined))).toBe("made");
  expect(readdirSync(place.workspace).toSorted()).toEqual([".git", "a.txt"]);
  expect(existsSync(join(repository.root, "checkouts", "session", ".aside", "large"))).toBe(true);
});

test("a patch carries no text that is not UTF-8", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const one = machine(repository);
  const place = await make(one, "session", { repository: repository.address });
  writeFileSync(join(place.workspace, "a.txt"), Buffer.from("caf\xe9\n", "latin1"));
  expect(await one.outcome(place, { title: "Work", wanted: { as: "patch" } })).toEqual({
    ok: false,
    problem: expect.stringMatching(/not UTF-8.*Take a branch/u),
  });
});

test("what was stored is refused when it is damaged, and so is a place of another machine", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const one = machine(repository);
  const place = await make(one, "session", { repository: repository.address });
  writeFileSync(join(place.workspace, "a.txt"), "changed\n");
  const kept = await keep(one, place);
  await one.remove("session");
  for (const bytes of [Buffer.from("nonsense"), kept?.bytes.slice(0, -30), undefined])
    expect(await one.ensure(place, stored(bytes))).toMatchObject({ ok: false });
  expect(await one.trees()).toEqual([]);
  const elsewhere = { ...place, workspace: "/elsewhere/session/shop" };
  expect(await one.ensure(elsewhere, undefined)).toEqual({
    ok: false,
    problem: expect.stringContaining("Start the worker with the same --checkouts"),
  });
});

test("work becomes a branch, a patch that applies, or a branch of the repository, which is never overwritten", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const checkouts = machine(repository);
  const place = await make(checkouts, "session", { repository: repository.address });
  writeFileSync(join(place.workspace, "a.txt"), "changed\n");
  writeFileSync(join(place.workspace, "picture.bin"), Buffer.from([0, 1, 2, 255]));
  const outcome = (wanted: Parameters<Checkouts["outcome"]>[1]["wanted"]) =>
    checkouts.outcome(place, { title: "Mend the shop", wanted });
  const branch = orThrow(await outcome({ as: "branch" }));
  expect(branch).toMatchObject({ base: place.checkout.commit, branch: "toolwright/ession" });
  const { patch = "" } = orThrow(await outcome({ as: "patch" }));
  writeFileSync(join(repository.root, "work.patch"), patch);
  repository.git("apply", "--index", join(repository.root, "work.patch"));
  expect(repository.git("diff", "--cached", "--name-only").split("\n")).toEqual(["a.txt", "picture.bin"]);
  const pushed = orThrow(await outcome({ as: "push" }));
  expect(pushed.commit).toBe(branch.commit);
  expect(repository.bare("log", "-1", "--format=%H %an %s", "toolwright/ession")).toBe(
    `${branch.commit} Toolwright Mend the shop`,
  );
  expect(orThrow(await outcome({ as: "push", to: "review" })).branch).toBe("review");
  repository.git("reset", "--quiet", "--hard");
  const later = repository.commit({ "a.txt": "of somebody else\n" });
  expect(await outcome({ as: "push", to: "main" })).toEqual({
    ok: false,
    problem: expect.stringMatching(/^Nothing was pushed: .*rejected/u),
  });
  expect(repository.bare("rev-parse", "main")).toBe(later);
  expect(await outcome({ as: "push", to: "refs/tags/x" })).toMatchObject({ ok: false });
  expect(gitAt(place.workspace, "status", "--porcelain=v1").split("\n")).toEqual([
    "M a.txt",
    "?? picture.bin",
  ]);
});

test("removing a tree ends what only it needed, and nothing of another one", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const checkouts = machine(repository);
  const places = [];
  for (const id of ["session-1", "session-2"]) {
    const place = await make(checkouts, id, { repository: repository.address });
    places.push(place);
    await keep(checkouts, place);
  }
  mkdirSync(join(places[0]?.workspace ?? "", "shut"), { mode: 0o500 });
  await checkouts.remove("session-1");
  expect((await checkouts.trees()).map(({ id }) => id)).toEqual(["session-2"]);
  const [kept = ""] = readdirSync(join(repository.root, "cache-one"));
  const names = gitAt(
    join(repository.root, "cache-one", kept),
    "--git-dir=.",
    "for-each-ref",
    "--format=%(refname)",
  );
  expect(names).not.toContain("session-1");
  expect(names).toContain("refs/base/session-2");
});

test("a program whose sessions are in another store touches no tree of ours, and one that was cut off is made anew", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const ours = machine(repository);
  const place = await make(ours, "session", { repository: repository.address });
  const theirs = machine(repository, "other", "them");
  expect(await theirs.trees()).toEqual([]);
  expect((await theirs.everyTree()).length).toBe(1);
  await theirs.remove("session");
  expect(existsSync(place.workspace)).toBe(true);
  rmSync(join(repository.root, "checkouts", "session", ".owner"));
  rmSync(join(place.workspace, "a.txt"));
  await make(ours, "session", { repository: repository.address });
  expect(existsSync(join(place.workspace, "a.txt"))).toBe(true);
});
