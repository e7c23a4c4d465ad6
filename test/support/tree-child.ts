/** Acts on a tree from another process, for tests of `base/safe-fs`: `node tree-child.ts <what> <root> …`. */

import { lstatSync } from "node:fs";
import { applyChanges } from "../../src/base/safe-fs/apply.ts";
import { type Change, fileImage, type Image } from "../../src/base/safe-fs/image.ts";
import { openTree } from "../../src/base/safe-fs/open-tree.ts";
import type { Tree } from "../../src/base/safe-fs/tree.ts";

const image = (words: string, mode?: number): Image => fileImage(new TextEncoder().encode(words), mode);

export const longWords = (word: string): string => `${word}\n`.repeat(50_000);

/** A change of one file, large enough to be written in pieces. */
export const oneChange: readonly Change[] = [
  { path: "d/a", before: image(longWords("old")), after: image(longWords("new")) },
];

/** Every kind of change at once. */
export const manyChanges: readonly Change[] = [
  ...oneChange,
  { path: "d/b", before: image("old b"), after: image("new b", 0o755) },
  { path: "d/c", before: null, after: image("new c") },
  { path: "new/deep/e", before: null, after: image("new e") },
  { path: "gone/f", before: image("old f"), after: null },
  { path: "gone", before: { kind: "directory" }, after: null },
  { path: "link", before: { kind: "link", target: "d" }, after: { kind: "link", target: "new" } },
  { path: "run", before: image("old run", 0o644), after: image("old run", 0o755) },
];

/** Marks the start of our calls in the trace of system calls. */
export const marker = "/the-change-begins";

async function change(tree: Tree, changes: readonly Change[]): Promise<void> {
  lstatSync(marker, { throwIfNoEntry: false });
  const done = await applyChanges(tree, changes);
  if (!done.ok) throw new Error(done.problem);
}

/** Appends lines to a file that other processes write to as well. */
async function append(tree: Tree, writer: string, count: number): Promise<void> {
  for (let line = 0; line < count;) {
    const now = await tree.image("shared", { maxBytes: 1e9 });
    if (!now.ok || now.value?.kind !== "file") throw new Error("the file is gone");
    const words = new TextDecoder().decode(await now.value.content.read());
    const put = { path: "shared", before: now.value, after: image(`${words}${writer} ${line}\n`) };
    const done = await tree.put(put, { durable: false });
    if (done.ok) line++;
    else if (done.problem.code !== "ESTALE") throw new Error(done.problem.message);
  }
}

async function main([what = "", root = "", writer = "", count = "0"]: readonly string[]): Promise<void> {
  const tree = openTree(root);
  if (!tree.ok) throw new Error(tree.problem);
  if (what === "one") await change(tree.value, oneChange);
  else if (what === "many") await change(tree.value, manyChanges);
  else await append(tree.value, writer, Number(count));
}

if (import.meta.main) await main(process.argv.slice(2));
