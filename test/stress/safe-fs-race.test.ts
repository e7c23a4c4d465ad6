import { readdir, realpath, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { expect, test } from "vitest";
import { fileImage, type Image } from "../../src/base/safe-fs/image.ts";
import { snapshot, treeOver } from "../../src/base/safe-fs/testing/tree.ts";
import type { Tree } from "../../src/base/safe-fs/tree.ts";
import { scale } from "../../src/testing/scale.ts";
import { inside, race, secret, type Seen, swappedWorkspace } from "../support/swapped.ts";

const operations = 85_000 * scale;
const image = (words: string): Image => fileImage(new TextEncoder().encode(words));

const told = (words: string): keyof Seen => (words.includes(secret) ? "escapes" : "done");
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function operateOn(tree: Tree, at: number): Promise<keyof Seen> {
  const path = `d/deep/new-${at % 64}`;
  switch (at % 6) {
    case 0: {
      const read = await tree.read("d/deep/x", { maxBytes: 1000 });
      return read.ok ? told(decode(read.value)) : "refused";
    }
    case 1: {
      const list = await tree.list("d");
      return list.ok ? told(JSON.stringify(list.value)) : "refused";
    }
    case 2: {
      const part = await tree.window("d/x", { offset: 0, length: 100 });
      return part.ok ? told(decode(part.value.bytes)) : "refused";
    }
    case 3:
      return resultOf(await tree.put({ path, before: null, after: image("new") }, { durable: false }));
    case 4:
      return resultOf(await tree.put({ path, before: image("new"), after: null }, { durable: false }));
    default: {
      const now = await tree.image("d/x", { maxBytes: 1000 });
      if (!now.ok || now.value?.kind !== "file") return "refused";
      if (told(decode(await now.value.content.read())) === "escapes") return "escapes";
      const after = image(`${inside} ${at}`);
      return resultOf(await tree.put({ path: "d/x", before: now.value, after }, { durable: false }));
    }
  }
}

const resultOf = (result: { ok: boolean }): keyof Seen => (result.ok ? "done" : "refused");

test(`SAFETY 4, swap between check and use: no escape in ${operations} operations of a tree`, async () => {
  const { root, outside, stop } = await swappedWorkspace();
  const tree = treeOver(root);
  const before = await snapshot(outside);
  const seen = await race(operations, (at) => operateOn(tree, at));
  await stop();
  console.log(`race: ${seen.done} done, ${seen.refused} refused, ${seen.escapes} escapes`);
  expect(await snapshot(outside)).toEqual(before);
  expect(seen.escapes).toBe(0);
  // Both sides of the swap must occur, otherwise there was no race.
  expect(Math.min(seen.done, seen.refused)).toBeGreaterThan(operations / 100);
}, 1_800_000);

test("the race is real: a naive realpath check before writing does escape", async () => {
  const { root, outside, stop } = await swappedWorkspace();
  const path = join(root, "d/naive");
  let tries = 0;
  for (; tries < 100_000 && !(await readdir(outside)).includes("naive"); tries++) {
    const real = await realpath(join(root, "d")).catch(() => outside);
    if (real.startsWith(root + sep)) await writeFile(path, "escaped").catch(() => undefined);
  }
  await stop();
  expect(await readdir(outside)).toContain("naive");
});
