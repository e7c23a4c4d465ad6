import { chmod, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Change, isSameImage } from "../../src/base/safe-fs/image.ts";
import { snapshot, treeOver, valueOf } from "../../src/base/safe-fs/testing/tree.ts";
import { scale } from "../../src/testing/scale.ts";
import { killAt, type Moment, momentsAfter } from "../support/system-calls.ts";
import { longWords, manyChanges, marker, oneChange } from "../support/tree-child.ts";

/** How many moments of each system call are tried. */
const most = 16 * scale;

async function freshTree(root: string): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await mkdir(join(root, "d"), { recursive: true });
  await mkdir(join(root, "gone"));
  await writeFile(join(root, "d/a"), longWords("old"));
  await writeFile(join(root, "d/b"), "old b");
  await writeFile(join(root, "gone/f"), "old f");
  await writeFile(join(root, "run"), "old run");
  await chmod(join(root, "run"), 0o644);
  await symlink("d", join(root, "link"));
}

const leftoversIn = async (root: string): Promise<string[]> =>
  Object.keys(await snapshot(root)).filter((name) => name.endsWith(".tmp"));

/** How many of the changes were made; each is made whole or not at all. */
async function madeOf(root: string, changes: readonly Change[]): Promise<number> {
  const tree = treeOver(root);
  let made = 0;
  for (const { path, before, after } of changes) {
    const now = await valueOf(tree.image(path, { maxBytes: 1e7 }));
    if (!isSameImage(now, before)) {
      expect(isSameImage(now, after), `${path} is torn`).toBe(true);
      made++;
    }
  }
  tree.close();
  return made;
}

async function clean(root: string, changes: readonly Change[]): Promise<void> {
  const tree = treeOver(root);
  await valueOf(tree.removeLeftovers(changes.map(({ path }) => path)));
  tree.close();
  expect(await leftoversIn(root)).toEqual([]);
  for (const path of ["d/a", "d/b", "run"]) expect((await stat(join(root, path))).nlink).toBe(1);
}

/** A sample of the moments of each system call, spread evenly. */
function chosen(moments: readonly Moment[]): Moment[] {
  const byName = Map.groupBy(moments, ({ name }) => name);
  return [...byName.values()].flatMap((all) => {
    const step = Math.max(1, all.length / most);
    return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]).filter(
      (moment) => moment !== undefined,
    );
  });
}

type Tally = { kills: number; mostLeftovers: number; made: Set<number> };

async function killEverywhere(what: "one" | "many", changes: readonly Change[]): Promise<Tally> {
  const place = await realpath(await mkdtemp(join(tmpdir(), "toolwright-kills-")));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const commandIn = (root: string): string[] => [
    process.execPath,
    join(import.meta.dirname, "../support/tree-child.ts"),
    what,
    root,
  ];
  const first = join(place, "first");
  await freshTree(first);
  const moments = chosen(await momentsAfter(marker, commandIn(first), join(place, "log")));
  expect(await madeOf(first, changes)).toBe(changes.length);
  const tally: Tally = { kills: 0, mostLeftovers: 0, made: new Set() };
  const work = async (worker: number): Promise<void> => {
    const [root, log] = [join(place, `root-${worker}`), join(place, `log-${worker}`)];
    for (let moment = moments.pop(); moment; moment = moments.pop()) {
      await freshTree(root);
      const { killed, begun } = await killAt(moment, { marker, command: commandIn(root), log });
      if (!killed || !begun) continue;
      tally.kills++;
      tally.mostLeftovers = Math.max(tally.mostLeftovers, (await leftoversIn(root)).length);
      tally.made.add(await madeOf(root, changes));
      await clean(root, changes);
    }
  };
  await Promise.all([work(1), work(2)]);
  console.log(`${what}: ${tally.kills} kills, at most ${tally.mostLeftovers} leftovers`);
  return tally;
}

test("SAFETY 4, crash mid-write: a file being replaced is either old or new, with one leftover at most", async () => {
  const { kills, mostLeftovers, made } = await killEverywhere("one", oneChange);
  expect(kills).toBeGreaterThan(12);
  expect(mostLeftovers).toBe(1);
  expect(made).toEqual(new Set([0, 1]));
});

test("SAFETY 4, crash mid-write: of many changes none is torn, and leftovers are cleaned up", async () => {
  const { kills, made } = await killEverywhere("many", manyChanges);
  expect(kills).toBeGreaterThan(40);
  expect(made.size).toBeGreaterThan(2);
  expect(made).toContain(0);
});
