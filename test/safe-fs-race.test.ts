import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fileImage, type Image } from "../src/base/safe-fs/image.ts";
import { snapshot, treeOver } from "../src/base/safe-fs/testing-tree.ts";
import type { Tree } from "../src/base/safe-fs/tree.ts";
import { listFiles } from "../src/tools/list-files.ts";
import { readFile } from "../src/tools/read-file.ts";
import { searchWorkspace } from "../src/tools/search-workspace.ts";
import { runTool, testingRoom, wordsOf } from "../src/tools/testing-room.ts";
import { startSwapper } from "./swapper.ts";

const operations = 100_000 * Number(process.env["TOOLWRIGHT_RUNS"] ?? 1);
const atOnce = 8;
const inside = "what is inside";
const outsideWords = "what is outside";
const image = (words: string): Image => fileImage(new TextEncoder().encode(words));

type Swapped = { root: string; outside: string; stop: () => Promise<void> };

/** A workspace whose `d` is at one moment a directory of it and at the next a link to a directory outside. */
async function swappedWorkspace(): Promise<Swapped> {
  const place = await realpath(await mkdtemp(join(tmpdir(), "toolwright-race-")));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const [root, outside] = [join(place, "root"), join(place, "outside")];
  await mkdir(join(root, "d/deep"), { recursive: true });
  await mkdir(join(outside, "deep"), { recursive: true });
  for (const name of ["x", "deep/x"]) {
    await writeFile(join(root, "d", name), inside);
    await writeFile(join(outside, name), outsideWords);
  }
  await writeFile(join(outside, "only-outside"), outsideWords);
  await symlink(outside, join(root, "swapped"));
  const { stop } = await startSwapper(join(root, "d"), join(root, "swapped"));
  return { root, outside, stop };
}

type Seen = { done: number; refused: number; escapes: number };

/** Runs so many operations, several at a time; each tells what it came to. */
async function race(count: number, operate: (at: number) => Promise<keyof Seen>): Promise<Seen> {
  const seen: Seen = { done: 0, refused: 0, escapes: 0 };
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) seen[await operate(at)]++;
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return seen;
}

const told = (words: string): keyof Seen => (words.includes("outside") ? "escapes" : "done");
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
  // Both sides of the swap were met, or it was no race.
  expect(Math.min(seen.done, seen.refused)).toBeGreaterThan(operations / 100);
}, 1_800_000);

test("SAFETY 4, swap between check and use: the tools that read never show what is outside", async () => {
  const { root, stop } = await swappedWorkspace();
  const room = testingRoom(root);
  onTestFinished(() => room.files.close());
  const seen = await race(operations / 50, async (at) => {
    const produced = await [
      () => runTool(readFile, { path: "d/x" }, room),
      () => runTool(readFile, { path: join(root, "d/deep/x"), from: 1 }, room),
      () => runTool(listFiles, { path: "d", depth: 3 }, room),
      () => runTool(searchWorkspace, { pattern: "what", path: "d" }, room),
    ][at % 4]?.();
    const { outcome, words } = wordsOf(produced ?? { outcome: "failed", content: [] });
    if (words.includes("what is outside") || words.includes("only-outside")) return "escapes";
    return outcome === "ok" ? "done" : "refused";
  });
  await stop();
  expect(seen.escapes).toBe(0);
  expect(Math.min(seen.done, seen.refused)).toBeGreaterThan(0);
}, 600_000);

test("the race can be lost: asking for the real path first and writing then lands outside", async () => {
  const { root, outside, stop } = await swappedWorkspace();
  const path = join(root, "d/naive");
  let tries = 0;
  for (; tries < 100_000 && !(await readdir(outside)).includes("naive"); tries++) {
    const real = await realpath(join(root, "d")).catch(() => outside);
    if (real.startsWith(root + sep)) await writeFile(path, "escaped").catch(() => undefined);
  }
  await stop();
  expect(await readdir(outside)).toContain("naive");
}, 600_000);
