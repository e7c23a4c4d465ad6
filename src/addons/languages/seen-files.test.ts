import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTree } from "../../base/safe-fs/open-tree.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { SeenFiles } from "./seen-files.ts";

async function seenFiles(files: Record<string, string>) {
  const workspace = await temporaryWorkspace(files);
  const tree = openTree(workspace.root);
  if (!tree.ok) throw new Error(tree.problem);
  onTestFinished(async () => {
    tree.value.close();
    await workspace.remove();
  });
  const seen = new SeenFiles(tree.value);
  const changes = async () =>
    (await seen.changes(new AbortController().signal)).map(({ path, type }) => `${type} ${path}`).toSorted();
  return { seen, changes, at: (path: string) => join(workspace.root, path) };
}

test("created, changed, moved and deleted files are reported once; the first scan only records the state", async () => {
  const { changes, at } = await seenFiles({ "a.ts": "1", "b.ts": "2", "sub/c.ts": "3", "d.ts": "4" });
  expect(await changes()).toEqual([]);
  await writeFile(at("a.ts"), "another");
  await rm(at("b.ts"));
  await rename(at("d.ts"), at("sub/e.ts"));
  await mkdir(at("new"));
  await writeFile(at("new/f.ts"), "6");
  expect(await changes()).toEqual([
    "changed a.ts",
    "created new/f.ts",
    "created sub/e.ts",
    "deleted b.ts",
    "deleted d.ts",
  ]);
  expect(await changes()).toEqual([]);
});

test("changes already reported elsewhere are not repeated, and ignored files are never reported", async () => {
  const { seen, changes, at } = await seenFiles({ "a.ts": "1", "b.ts": "2", ".gitignore": "out\n" });
  await changes();
  await writeFile(at("a.ts"), "another");
  await writeFile(at("b.ts"), "another");
  await mkdir(at("out"));
  await writeFile(at("out/x.js"), "1");
  seen.toldOf(["a.ts"]);
  expect(await changes()).toEqual(["changed b.ts"]);
  await writeFile(at("a.ts"), "a third");
  expect(await changes()).toEqual(["changed a.ts"]);
});

test("an aborted scan loses no changes", async () => {
  const { seen, changes, at } = await seenFiles({ "a.ts": "1" });
  await changes();
  await writeFile(at("a.ts"), "another");
  expect(await seen.changes(AbortSignal.abort())).toEqual([]);
  expect(await changes()).toEqual(["changed a.ts"]);
});
