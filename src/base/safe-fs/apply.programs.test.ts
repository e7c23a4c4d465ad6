import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { chmod, link, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { scale } from "../../testing/scale.ts";
import { applyChanges } from "./apply.ts";
import { type Change, contentOf, fileImage, type Image, isSameImage } from "./image.ts";
import { bytes, openDescriptors, snapshot, temporaryDirectory, treeOver } from "./testing/tree.ts";
import type { Tree } from "./tree.ts";

let root = "";
let tree: Tree;
const at = (name: string): string => join(root, name);
const file = (words: string, mode?: number): Image => fileImage(bytes(words), mode);
const directory: Image = { kind: "directory" };
const problemOf = async (changes: readonly Change[]): Promise<string> => {
  const done = await applyChanges(tree, changes, { durable: false });
  return done.ok ? "ok" : done.problem;
};

beforeEach(async () => {
  root = await temporaryDirectory();
  tree = treeOver(root);
});

test("applied changes are returned in the order they were made, with the directories created for them", async () => {
  await mkdir(at("old/sub"), { recursive: true });
  await writeFile(at("old/sub/x"), "x");
  const changes: Change[] = [
    { path: "old", before: directory, after: null },
    { path: "new/deep/b", before: null, after: file("b") },
    { path: "old/sub", before: directory, after: null },
    { path: "new/a", before: null, after: file("a") },
    { path: "old/sub/x", before: file("x"), after: null },
  ];
  const done = await applyChanges(tree, changes);
  const [removeOld, makeB, removeSub, makeA, removeX] = changes;
  expect(done).toEqual({
    ok: true,
    value: [
      removeX,
      removeSub,
      removeOld,
      { path: "new", before: null, after: directory },
      makeA,
      { path: "new/deep", before: null, after: directory },
      makeB,
    ],
  });
  if (done.ok)
    expect(done.value.includes(makeB ?? changes[0] ?? { path: "", before: null, after: null })).toBe(true);
  expect(Object.keys(await snapshot(root)).toSorted()).toEqual(["new", "new/a", "new/deep", "new/deep/b"]);
});

test("an empty set succeeds, and a path changed twice is refused", async () => {
  expect(await applyChanges(tree, [])).toEqual({ ok: true, value: [] });
  const twice = [1, 2].map((n): Change => ({ path: "d/a", before: null, after: file(String(n)) }));
  expect(await problemOf(twice)).toBe("d/a is changed twice in one call; nothing was written.");
  expect(await readdir(root)).toEqual([]);
});

test("a set that is cancelled at the last check writes nothing", async () => {
  await writeFile(at("a"), "old");
  const changes: Change[] = [
    { path: "a", before: file("old"), after: file("new") },
    { path: "d/b", before: null, after: file("b") },
  ];
  const asked: string[] = [];
  const stillCurrent = async (): Promise<boolean> => {
    asked.push(await readFile(at("a"), "utf8"));
    return false;
  };
  expect(await applyChanges(tree, changes, { stillCurrent })).toEqual({
    ok: false,
    problem: "It was stopped before anything was written.",
  });
  expect([asked, await snapshot(root)]).toEqual([["old"], { a: expect.stringContaining("old") }]);
});

/** Nine files in a few directories; the fifth in the order of making is `c/5`. */
async function nineFiles(): Promise<Change[]> {
  const paths = ["a/1", "a/2", "b/3", "b/4", "c/5", "c/6", "d/7", "d/8", "e/new/9"];
  for (const path of paths.slice(0, 8)) {
    await mkdir(at(path.slice(0, 1)), { recursive: true });
    await writeFile(at(path), `old ${path}`, { mode: 0o640 });
  }
  await mkdir(at("gone"));
  await writeFile(at("gone/x"), "x");
  await symlink("gone", at("link"));
  return [
    ...paths
      .slice(0, 8)
      .map((path): Change => ({ path, before: file(`old ${path}`), after: file(`new ${path}`) })),
    { path: "e/new/9", before: null, after: file("new") },
    { path: "gone/x", before: file("x"), after: null },
    { path: "gone", before: directory, after: null },
    { path: "link", before: { kind: "link", target: "gone" }, after: file("now a file") },
  ];
}

const failures: Record<string, (changes: Change[]) => Promise<void>> = {
  "changed since": () => writeFile(at("c/5"), "hers"),
  "removed since": () => rm(at("c/5")),
  "a directory in its place": async () => {
    await rm(at("c/5"));
    await mkdir(at("c/5"));
  },
  "a link in its place": async () => {
    await rm(at("c/5"));
    await symlink("/etc/passwd", at("c/5"));
  },
  "a link in place of its directory": async () => {
    await rm(at("c"), { recursive: true });
    await symlink("d", at("c"));
  },
  "a file in place of its directory": async () => {
    await rm(at("c"), { recursive: true });
    await writeFile(at("c"), "");
  },
  "its content cannot be read": async (changes) => {
    const content = { ...contentOf(bytes("new")), read: () => Promise.reject(new Error("gone")) };
    changes[4] = { path: "c/5", before: file("old c/5"), after: { kind: "file", content } };
  },
  "its name is too long": async (changes) => {
    changes[4] = { path: `c/${"n".repeat(300)}`, before: null, after: file("new") };
  },
  "what is made is there already": async () => {
    await mkdir(at("e/new"), { recursive: true });
    await writeFile(at("e/new/9"), "hers");
  },
  "something else is in a directory to remove": () => writeFile(at("gone/hers"), "hers"),
};

test.each(Object.keys(failures))(
  "SAFETY 4, multi-file patch fails half-way: no file is changed when one fails (%s)",
  async (name) => {
    const changes = await nineFiles();
    await failures[name]?.(changes);
    const before = await snapshot(root);
    const inodes = await Promise.all(
      ["a/1", "d/8", "gone/x"].map(async (path) => (await stat(at(path))).ino),
    );
    const descriptors = openDescriptors();
    expect(await problemOf(changes)).not.toBe("ok");
    expect(await snapshot(root)).toEqual(before);
    expect(
      await Promise.all(["a/1", "d/8", "gone/x"].map(async (path) => (await stat(at(path))).ino)),
    ).toEqual(inodes);
    expect(openDescriptors()).toBe(descriptors);
  },
);

test("a failure after some files were written says that they were restored", async () => {
  const changes = await nineFiles();
  await writeFile(at("gone/hers"), "hers");
  expect(await problemOf(changes)).toBe(
    "Cannot remove gone: the directory is not empty. The files written before it were put back as they were.",
  );
});

test("a foreign write while a set is applied is not rolled back with it, and is reported", async () => {
  await writeFile(at("a"), "old");
  const many = Array.from({ length: 600 }, (_, i): Change => ({
    path: `m/${i}`,
    before: null,
    after: file("m"),
  }));
  const changes: Change[] = [
    { path: "a", before: file("old"), after: file("new") },
    ...many,
    { path: "z", before: null, after: file("z") },
  ];
  // Long sets yield to other work between two of their steps.
  const stillCurrent = (): boolean => {
    setImmediate(() => {
      writeFileSync(at("a"), "hers");
      writeFileSync(at("z"), "hers");
    });
    return true;
  };
  const done = await applyChanges(tree, changes, { durable: false, stillCurrent });
  expect(done.ok ? "ok" : done.problem).toMatch(
    /^z has changed since .* These could not be put back as they were: a \(its content is in \.a\.\w+\.tmp\)\.$/,
  );
  expect([await readFile(at("a"), "utf8"), await readFile(at("z"), "utf8")]).toEqual(["hers", "hers"]);
  const [left = "", ...others] = (await readdir(root)).toSorted();
  expect(await readFile(at(left), "utf8")).toBe("old");
  expect(others, "the directory that was made for the others is gone with them").toEqual(["a", "z"]);
});

const names = fc.constantFrom("a", "b", "é", ".c");
const anyPath = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const anyMode = fc.constantFrom(0o644, 0o755, 0o600, 0o444, 0o4711);
const anyImage: fc.Arbitrary<Image | null> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ words: fc.string({ maxLength: 8 }), mode: anyMode })
      .map(({ words, mode }) => file(words, mode)),
  },
  fc.constantFrom("a", "../b", "/nowhere").map((target): Image => ({ kind: "link", target })),
  fc.constantFrom(0o755, 0o700).map((mode): Image => ({ kind: "directory", mode })),
  fc.constant(null),
);

/** The changes that lead to these states; a directory that goes takes its content with it. */
async function planned(wishes: readonly [string, Image | null][]): Promise<Change[]> {
  const goes = (path: string): boolean =>
    wishes.some(([above, after]) => path.startsWith(`${above}/`) && after?.kind !== "directory");
  const wanted = new Map<string, Image | null>(wishes.filter(([path]) => !goes(path)));
  for (const path of Object.keys(await snapshot(root))) if (goes(path)) wanted.set(path, null);
  const changes: Change[] = [];
  for (const [path, after] of wanted) {
    const before = await tree.image(path, { maxBytes: 1000 });
    if (before.ok && !isSameImage(before.value, after)) changes.push({ path, before: before.value, after });
  }
  return changes;
}

test("a set of changes is applied completely or not at all, and its inverse restores the same tree", async () => {
  const wishes = fc.uniqueArray(fc.tuple(anyPath, anyImage), { selector: ([path]) => path, maxLength: 6 });
  const tally = { made: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(wishes, { maxLength: 6 }), async (sets) => {
      await rm(root, { recursive: true });
      await mkdir(root);
      const own = treeOver(root);
      tree = own;
      const inverses: Change[][] = [];
      const states = [await snapshot(root)];
      for (const set of sets) {
        const changes = await planned(set);
        const before = await snapshot(root);
        const done = await applyChanges(own, changes, { durable: false });
        if (!done.ok) {
          expect(await snapshot(root)).toEqual(before);
          tally.refused++;
          continue;
        }
        for (const { path, after } of changes) {
          const now = await own.image(path, { maxBytes: 1000 });
          // Below a path that is a link now, nothing can be checked.
          if (now.ok || after !== null) expect(now.ok && isSameImage(now.value, after), path).toBe(true);
        }
        tally.made++;
        inverses.push(
          done.value.map(({ path, before: was, after: is }) => ({ path, before: is, after: was })),
        );
        states.push(await snapshot(root));
      }
      for (const inverse of inverses.toReversed()) {
        expect(await snapshot(root)).toEqual(states.pop());
        expect(await applyChanges(own, inverse, { durable: false })).toMatchObject({ ok: true });
      }
      expect(await snapshot(root)).toEqual(states.pop());
      own.close();
    }),
    { numRuns: 30 * scale },
  );
  // Both outcomes must occur, or the test shows only half.
  expect(Math.min(tally.made, tally.refused)).toBeGreaterThan(3);
});

test("SAFETY 4, multi-file patch: a directory without write permission leaves all files unchanged", async () => {
  await nineFiles();
  await chmod(at("c"), 0o555);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync("chown", ["-R", "65534:65534", root]);
  const before = await snapshot(root);
  const script = `
    import { applyChanges } from ${JSON.stringify(new URL("apply.ts", import.meta.url).href)};
    import { fileImage } from ${JSON.stringify(new URL("image.ts", import.meta.url).href)};
    import { openTree } from ${JSON.stringify(new URL("open-tree.ts", import.meta.url).href)};
    if (process.getuid() === 0) process.setgid(65534), process.setuid(65534);
    const image = (words) => fileImage(new TextEncoder().encode(words));
    const paths = ["a/1", "a/2", "b/3", "b/4", "c/5", "c/6", "d/7", "d/8"];
    const changes = paths.map((path) => ({ path, before: image("old " + path), after: image("new " + path) }));
    console.log(JSON.stringify(await applyChanges(openTree(process.argv[1]).value, changes)));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script, root], {
    encoding: "utf8",
  });
  expect(JSON.parse(output)).toEqual({ ok: false, problem: "Cannot write c/5: permission is denied." });
  expect(await snapshot(root)).toEqual(before);
  await chmod(at("c"), 0o755);
});

test("both names of a hard-linked file can be removed in one set", async () => {
  await writeFile(at("one"), "1");
  await link(at("one"), at("two"));
  const gone = ["one", "two"].map((path): Change => ({ path, before: file("1"), after: null }));
  expect(await problemOf(gone)).toBe("ok");
  expect(await readdir(root)).toEqual([]);
});
