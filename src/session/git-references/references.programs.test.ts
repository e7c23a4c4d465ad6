import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { undoBounds } from "../bounds.ts";
import { keepingLines } from "./keeping.ts";
import { objectFile } from "./object-file.ts";
import { putReferences } from "./put-references.ts";
import { recordReferences } from "./record-references.ts";
import { type References, readReferencesText, referencesText } from "./references.ts";
import { readRepository, repositoryIn } from "./repository.ts";
import { gitPlace } from "./testing/git-place.ts";

const hash = fc.string({
  unit: fc.constantFrom(..."0123456789abcdef".split("")),
  minLength: 40,
  maxLength: 40,
});
const names = fc.dictionary(
  fc
    .string({ unit: fc.constantFrom("a", "/", "é", "-", ".", "\u3000", "\u2028"), minLength: 1 })
    .map((name) => `refs/heads/${name}`),
  hash,
);
const anything: fc.Arbitrary<References> = fc.record({
  head: fc.option(fc.oneof(hash, fc.constant("refs/heads/main")), { nil: undefined }),
  index: fc.option(hash, { nil: undefined }),
  names: names.map((all) => new Map(Object.entries(all))),
  stash: fc.array(fc.record({ hash, message: fc.string().map((text) => text.replaceAll(/[\r\n]/g, " ")) })),
  open: fc.subarray(["MERGE_HEAD", "rebase-merge"]),
});

test("references are read from their text as they were", () => {
  fc.assert(
    fc.property(anything, (all) => {
      expect(readReferencesText(referencesText(all))).toEqual(all);
    }),
  );
});

test.each(["HEAD a\nHEAD b\n", "refs/heads/a\n", "refs/heads/a b c\n", "<<<<<<< ours\n", "other a\n"])(
  "a text that is none of references is refused: %j",
  (text) => expect(readReferencesText(text)).toBeUndefined(),
);

function repository() {
  const { root, workspace, env, git } = gitPlace();
  git("commit", "-q", "--allow-empty", "-m", "first");
  const place = repositoryIn(join(workspace, ".git"), { workspace, env });
  const put = (name: string, text: string): void => writeFileSync(join(workspace, name), text);
  return { git, put, place, counted: () => counted(root, workspace) };
}

/** The same place, with a git that notes each of its runs. */
function counted(root: string, workspace: string) {
  const notes = join(root, "notes");
  const own = join(root, "bin");
  mkdirSync(own);
  const real = execFileSync("sh", ["-c", "command -v git"]).toString().trim();
  const script = `#!/bin/sh\necho "$*" >> ${notes}\nexec ${real} "$@"\n`;
  writeFileSync(join(own, "git"), script, { mode: 0o755 });
  const env = { PATH: `${own}:${process.env["PATH"]}`, HOME: root };
  const asked = (): number => {
    const lines = readFileSync(notes, { encoding: "utf8", flag: "a+" }).split("\n").length - 1;
    rmSync(notes);
    return lines;
  };
  return { place: repositoryIn(join(workspace, ".git"), { workspace, env }), asked };
}

test("git is asked before no command that follows on another, nor where a commit is in a file of its own", async () => {
  const { git, put, counted } = repository();
  const { place, asked } = counted();
  const command = async (...words: string[]) => {
    const record = await recordReferences([{ path: ".git/references", repository: place }]);
    const before = asked();
    expect(git("for-each-ref", "refs/toolwright/")).toMatch(/before$/mu);
    git(...words);
    const { changes } = await record.changes();
    for (const settle of record.settling) await settle();
    expect(git("for-each-ref", "refs/toolwright/")).toBe("");
    asked();
    return { before, moved: changes.length };
  };
  put("a", "1");
  expect(await command("add", "a")).toEqual({ before: 0, moved: 1 });
  git("branch", "other", git("commit-tree", "-m", "of somebody else", "HEAD^{tree}").trim());
  expect(await command("commit", "-q", "-m", "second")).toEqual({ before: 0, moved: 1 });
  expect(await command("status")).toEqual({ before: 0, moved: 0 });
  put("a", "2");
  expect(await command("add", "a")).toEqual({ before: 0, moved: 1 });
  expect(await command("pack-refs", "--all")).toEqual({ before: 0, moved: 0 });
  expect(await command("commit", "-q", "-am", "third")).toEqual({ before: 0, moved: 1 });
  git("fsck", "--strict");
});

test("git is asked of commits in packs and of tags, once", async () => {
  const { git, counted } = repository();
  git("gc", "-q");
  git("tag", "-am", "words", "v1");
  const { place, asked } = counted();
  for (const before of [1, 0]) {
    const record = await recordReferences([{ path: ".git/references", repository: place }]);
    expect(asked()).toBe(before);
    await record.changes();
    for (const settle of record.settling) await settle();
    asked();
  }
});

test("what is held twice is one object, also if the disk has lost what was in it", async () => {
  const { git, place } = repository();
  const held = async (): Promise<string> => {
    const record = await recordReferences([{ path: ".git/references", repository: place }]);
    const hash = git("for-each-ref", "--format=%(objectname)", "refs/toolwright/").trim();
    git("fsck", "--strict");
    await record.changes();
    for (const settle of record.settling) await settle();
    return hash;
  };
  const first = await held();
  const object = objectFile(place.common, first);
  chmodSync(object, 0o644);
  utimesSync(object, 1, 1);
  expect(await held()).toBe(first);
  expect(statSync(object).mtimeMs).toBeGreaterThan(Date.now() - 60_000); // no clean-up takes it
  truncateSync(object);
  expect(await held()).toBe(first);
});

test("of what is kept, the oldest beyond the bound goes with the next that is kept", async () => {
  const { git, place } = repository();
  const [head] = git("rev-parse", "HEAD").split("\n");
  const now = Date.now();
  const names = Array.from({ length: undoBounds.keptReferences.most + 1 }, (_, at) => now - at);
  const lines = names.map((at) => `create refs/toolwright/${at}-a/heads/x ${head}\n`);
  execFileSync("git", ["update-ref", "--stdin"], { cwd: place.directory, input: lines.join("") });
  git("branch", "gone");
  git("commit", "-q", "--amend", "--allow-empty", "-m", "other");
  const before = await readRepository(place);
  if (!before) throw new Error("no repository");
  const after = {
    ...before.references,
    names: new Map([["refs/heads/main", before.references.names.get("refs/heads/main") ?? ""]]),
  };
  expect(await keepingLines({ before, after, group: "refs/toolwright/new/" }, place)).toEqual([
    `create refs/toolwright/new/heads/gone ${head}`,
    `delete refs/toolwright/${names.at(-1)}-a/heads/x`,
  ]);
});

test("references are not moved to what is gone, nor from where they are not", async () => {
  const { git, place } = repository();
  const before = (await readRepository(place))?.references;
  if (!before) throw new Error("no repository");
  const gone = { ...before, names: new Map([["refs/heads/main", "1".repeat(40)]]) };
  expect(await putReferences(place, { from: before, to: gone })).toMatchObject({ ok: false });
  expect(await putReferences(place, { from: gone, to: before })).toMatchObject({ ok: false });
  expect(git("log", "--format=%s")).toBe("first\n");
});

test("a merge that is open is given up, and a commit without a branch is left and found again", async () => {
  const { git, place } = repository();
  git("checkout", "-q", "--detach");
  const before = (await readRepository(place))?.references;
  git("checkout", "-q", "-b", "side");
  git("commit", "-q", "--allow-empty", "-m", "side");
  git("checkout", "-q", "main");
  git("commit", "-q", "--allow-empty", "-m", "second");
  git("merge", "-q", "--no-commit", "--no-ff", "side");
  const after = (await readRepository(place))?.references;
  if (!before || !after) throw new Error("no repository");
  expect(after.open).toContain("MERGE_HEAD");
  expect(await putReferences(place, { from: after, to: before })).toEqual({ ok: true, value: undefined });
  expect((await readRepository(place))?.references).toEqual(before);
});

test("what is held is there, also if a clean-up has taken what was known", async () => {
  const { git, put, place } = repository();
  const held = async () => {
    const record = await recordReferences([{ path: ".git/references", repository: place }]);
    git("rev-list", "--objects", "--all");
    await record.changes();
    for (const settle of record.settling) await settle();
    git("rev-list", "--objects", "--all");
  };
  for (const clean of [() => undefined, () => git("gc", "-q", "--prune=now")]) {
    put("a", "staged");
    git("add", "a");
    await held();
    git("rm", "-q", "--cached", "a");
    clean();
    git("add", "a");
    await held();
  }
});
