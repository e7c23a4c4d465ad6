import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ownIdentity } from "../process-identity.ts";
import { type Change, fileImage, type Image } from "./image.ts";
import { temporaryName } from "./temporary.ts";
import { bytes, codeOf, snapshot, temporaryDirectory, treeOver, valueOf } from "./testing/tree.ts";

const file = (words: string): Image => fileImage(bytes(words), 0o644);
const directory = (mode: number): Image => ({ kind: "directory", mode });
const change = (path: string, before: Image | null, after: Image | null): Change => ({ path, before, after });

/** Creates ro (555) with the file a, and ro/deep (555) with the file b. */
async function place() {
  const root = await temporaryDirectory();
  mkdirSync(join(root, "ro/deep"), { recursive: true });
  for (const [path, words] of [
    ["ro/a", "a"],
    ["ro/deep/b", "b"],
  ] as const) {
    writeFileSync(join(root, path), words);
    chmodSync(join(root, path), 0o644);
  }
  for (const path of ["ro/deep", "ro"]) chmodSync(join(root, path), 0o555);
  onTestFinished(() => {
    for (const path of ["ro", "ro/deep", "new", "new/deep"].map((name) => join(root, name)))
      if (existsSync(path)) chmodSync(path, 0o755);
  });
  return { root, tree: treeOver(root), before: await snapshot(root) };
}

const removal: Change[] = [
  change("ro/deep/b", file("b"), null),
  change("ro/deep", directory(0o555), null),
  change("ro/a", file("a"), null),
  change("ro", directory(0o555), null),
];

test("read-only directories are created and removed together with their content", async () => {
  const { root, tree, before } = await place();
  await valueOf(tree.putAll(removal));
  expect(await snapshot(root)).toEqual({});
  const back = removal.map(({ path, before: was }) => change(path, null, was));
  await valueOf(tree.putAll(back));
  expect(await snapshot(root)).toEqual(before);
});

test("a directory loses write permission after its content is changed, and gains it before", async () => {
  const { root, tree, before } = await place();
  const opening = [
    change("ro", directory(0o555), directory(0o755)),
    change("ro/a", file("a"), file("A")),
    change("ro/n", null, file("n")),
  ];
  await valueOf(tree.putAll(opening));
  expect(await snapshot(root)).toMatchObject({
    ro: "directory 755",
    "ro/a": "file 644 A",
    "ro/n": "file 644 n",
  });
  const more = [change("ro/a", file("A"), file("AA")), change("ro/n", file("n"), file("nn"))];
  await valueOf(tree.putAll([...more, change("ro", directory(0o755), directory(0o555))]));
  expect(await snapshot(root)).toEqual({ ...before, "ro/a": "file 644 AA", "ro/n": "file 644 nn" });
  const again = more.map(({ path, before: was, after }) => change(path, after, was));
  await valueOf(tree.putAll([...again, change("ro", directory(0o555), directory(0o755))]));
  const shutting = opening.map(({ path, before: was, after }) => change(path, after, was));
  await valueOf(tree.putAll(shutting));
  expect(await snapshot(root)).toEqual(before);
});

test("content of a read-only directory is changed only with evenIfShut, and the directory stays read-only", async () => {
  const { root, tree, before } = await place();
  const edit = [change("ro/deep/b", file("b"), file("B"))];
  // Root may write everywhere.
  const isRoot = process.getuid?.() === 0;
  expect(await codeOf(tree.putAll(isRoot ? [] : edit))).toBe(isRoot ? "ok" : "EACCES");
  await valueOf(tree.putAll(edit, { evenIfShut: true }));
  expect(await snapshot(root)).toEqual({ ...before, "ro/deep/b": "file 644 B" });
});

test("a file is created in a read-only workspace root with evenIfShut, and the root stays read-only", async () => {
  const { root, tree } = await place();
  chmodSync(root, 0o555);
  onTestFinished(() => chmodSync(root, 0o755));
  await valueOf(tree.putAll([change("n", null, file("n"))], { evenIfShut: true }));
  expect(await snapshot(root)).toMatchObject({ n: "file 644 n" });
  expect(statSync(root).mode & 0o777).toBe(0o555);
});

test("when a set fails, the directories opened for it are made read-only again", async () => {
  const { root, tree, before } = await place();
  for (const changes of [
    [...removal, change("x", file("not there"), null)],
    [change("ro", directory(0o555), directory(0o700)), change("ro/a", file("other"), file("A"))],
    [
      change("new", null, directory(0o555)),
      change("new/x", null, file("x")),
      change("ro/a", null, file("A")),
    ],
  ]) {
    expect(await codeOf(tree.putAll(changes, { evenIfShut: true }))).toBe("ESTALE");
    expect(await snapshot(root)).toEqual(before);
  }
  const isStopped = { evenIfShut: true, stillCurrent: () => false };
  expect(await codeOf(tree.putAll(removal, isStopped))).toBe("ECANCELED");
  expect(await snapshot(root)).toEqual(before);
});

test("a directory that a killed process left open is shut again by whoever tidies up after it, and by nobody else's note", async () => {
  const { root, tree, before } = await place();
  const { pid } = spawnSync("true");
  const dead = `555 ${pid}  ${ownIdentity().boot} ${ownIdentity().space} ${ownIdentity().host}`;
  const notes = (name: string) => join(root, temporaryName(name, "shut"));
  chmodSync(join(root, "ro"), 0o755);
  symlinkSync(dead, notes("ro"));
  expect(await valueOf(tree.removeLeftovers(["ro/deep/b"]))).toHaveLength(1);
  expect(await snapshot(root)).toEqual(before);
  // Of one that still works, of a directory that is not as it would have left it, and of what opens instead of shuts.
  mkdirSync(join(root, "new"), { mode: 0o750 });
  symlinkSync(dead.replace(` ${pid} `, ` ${process.pid} `), notes("new"));
  symlinkSync(dead, notes("new"));
  symlinkSync(dead.replace("555", "777"), notes("new"));
  symlinkSync("nonsense", notes("new"));
  await valueOf(tree.removeLeftovers(["new/a"]));
  expect(statSync(join(root, "new")).mode & 0o777).toBe(0o750);
});

test("no note is left behind", async () => {
  const { root, tree, before } = await place();
  const edit = [change("ro/deep/b", file("b"), file("B"))];
  await valueOf(tree.putAll(edit, { evenIfShut: true }));
  expect(await snapshot(root)).toEqual({ ...before, "ro/deep/b": "file 644 B" });
});
