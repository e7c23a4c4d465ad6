import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Change } from "../src/base/safe-fs/image.ts";
import type { Tree } from "../src/base/safe-fs/tree.ts";
import type { RecordCaps } from "../src/session/workspace-record/caps.ts";
import { scanTree } from "../src/session/workspace-record/scan.ts";
import {
  bash,
  commitAll,
  lookAll,
  makePlace,
  type TestDirectory,
  record,
  reverseChanges,
  systemCalls,
  type PathState,
} from "../src/session/workspace-record/testing/record.ts";
import { scale } from "../src/testing/scale.ts";

/** Few names, so that operations collide; `big` and the content of installed directories is not covered. */
const name = fc.constantFrom("a", "b", "c", "d", "big", "node_modules", "-x y");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const content = fc.constantFrom("", "1", "2", "two\n", "x".repeat(40), "y".repeat(40), "z".repeat(200));
const isRoot = process.getuid?.() === 0;
const mode = fc.constantFrom(0o644, 0o600, 0o755, 0o700);

type Step =
  | { do: "write" | "link"; path: string; content: string }
  | { do: "mkdir" | "remove" | "fifo" | "touch"; path: string }
  | { do: "move" | "hard-link"; path: string; to: string }
  | { do: "mode"; path: string; mode: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), path, content }) },
  fc.record({ do: fc.constant("link" as const), path, content: path }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("mkdir" as const, "remove" as const, "touch" as const),
      path,
    }),
  },
  fc.record({ do: fc.constant("fifo" as const), path }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant("move" as const), path, to: path }) },
  fc.record({ do: fc.constant("hard-link" as const), path, to: path }),
  fc.record({ do: fc.constant("mode" as const), path, mode }),
);

/** Performs the step as a command would; an impossible step is skipped. */
function perform(root: string, each: Step): void {
  const at = join(root, each.path);
  try {
    switch (each.do) {
      case "write":
        mkdirSync(dirname(at), { recursive: true });
        return writeFileSync(at, each.content, { flag: isFifo(root, each.path) ? "wx" : "w" });
      case "link":
        return symlinkSync(each.content, at);
      case "mkdir":
        return void mkdirSync(at, { recursive: true });
      case "remove":
        return rmSync(at, { recursive: true });
      case "fifo":
        return void execFileSync("mkfifo", [at], { stdio: "ignore" });
      case "touch":
        return utimesSync(at, 1_600_000_000, 1_600_000_000);
      case "move":
        return renameSync(at, join(root, each.to));
      case "hard-link":
        return linkSync(at, join(root, each.to));
      case "mode":
        // Only root sees into a directory that nobody may search.
        return chmodSync(at, isRoot || !lstatSync(at).isDirectory() ? each.mode : each.mode | 0o500);
      default:
        return each satisfies never;
    }
  } catch {
    return undefined;
  }
}

const isFifo = (root: string, path: string): boolean => lookAll(root)[path]?.kind === "other";

/** Entries that are not at or below any of these names. */
function without(all: Record<string, PathState>, names: readonly string[]): Record<string, PathState> {
  const isNamed = (path: string): boolean =>
    names.some((each) => path === each || path.startsWith(`${each}/`));
  return Object.fromEntries(Object.entries(all).filter(([each]) => !isNamed(each)));
}

/** Directories above uncovered entries that remain, which may therefore be new. */
function aboveOf(names: readonly string[], all: Record<string, PathState>): Set<string> {
  const standing = names.filter((each) => all[each]);
  return new Set(
    standing.flatMap((each) => each.split("/").map((_, at, parts) => parts.slice(0, at).join("/"))),
  );
}

/** One by one: removals from the bottom up, then the rest from the top down. */
async function takeBackSingly({ tree }: TestDirectory, changes: readonly Change[]): Promise<void> {
  const [removals, others] = [
    reverseChanges(changes).filter(({ after }) => !after),
    reverseChanges(changes).filter(({ after }) => after),
  ];
  for (const change of [...removals.toReversed(), ...others]) {
    const made = await tree.put(change, { durable: false });
    if (!made.ok) throw new Error(`${change.path}: ${made.problem.message}`);
  }
}

const caps: fc.Arbitrary<Partial<RecordCaps>> = fc.constantFrom<Partial<RecordCaps>>(
  {},
  { otherBytes: 100 },
  { otherBytes: 0, otherFiles: 0 },
  { otherBytes: 100, keptBytes: 50, fileBytes: 100 },
  { entries: 4 },
  { changedFiles: 2 },
);

const limitOf = (caps: Partial<RecordCaps>): { limit?: number } =>
  caps.entries === undefined ? {} : { limit: caps.entries };

const scene = fc.record({
  tree: fc.array(step, { maxLength: 12 }),
  isCommitted: fc.boolean(),
  inProgress: fc.array(step, { maxLength: 4 }),
  named: fc.array(path, { maxLength: 2 }),
  changes: fc.array(step, { minLength: 1, maxLength: 10 }),
  caps,
});

test("for any tree and changes, reversing the reported changes restores the tree, except what is reported as uncovered", async () => {
  await fc.assert(
    fc.asyncProperty(scene, async ({ tree, isCommitted, inProgress, named, changes, caps }) => {
      using place = makePlace();
      for (const each of tree) perform(place.root, each);
      if (isCommitted) commitAll(place.root);
      for (const each of inProgress) perform(place.root, each);
      const before = lookAll(place.root);
      const { unlooked } = await scanTree(place.root, { limit: 50_000, named, ...limitOf(caps) });
      const recorded = await record(place, { named, caps });
      for (const each of changes) perform(place.root, each);
      const after = lookAll(place.root);
      const result = await recorded.changes();
      await takeBackSingly(place, result.changes);
      const restored = lookAll(place.root);
      const told = result.uncovered;
      const hidden = [...told, ...unlooked.keys()];
      const kept = aboveOf(hidden, restored);
      const plain = (all: Record<string, PathState>) =>
        Object.entries(without(all, hidden)).filter(([each]) => before[each] ?? !kept.has(each));
      if (hidden.includes(".")) return;
      expect(plain(restored)).toEqual(plain(before));
      for (const each of told)
        expect(before[each] !== undefined || after[each] !== undefined, each).toBe(true);
    }),
    { numRuns: 100 * scale },
  );
});

test("an untouched tree reports no changes and nothing as uncovered", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.boolean(),
      caps,
      async (tree, isCommitted, caps) => {
        using place = makePlace();
        for (const each of tree) perform(place.root, each);
        if (isCommitted) commitAll(place.root);
        const recorded = await record(place, { caps });
        for (const [each, { kind }] of Object.entries(lookAll(place.root)))
          if (kind === "file") readFileSync(join(place.root, each));
        const { changes, uncovered } = await recorded.changes();
        expect({ changes, uncovered }).toEqual({ changes: [], uncovered: [] });
      },
    ),
    { numRuns: 30 * scale },
  );
});

test("recording 50,000 files stats each one before and after, and reads only changed files", async () => {
  using place = makePlace();
  bash(place.root, "for d in $(seq 100); do mkdir d$d; (cd d$d && touch $(seq 500)); done");
  commitAll(place.root);
  const read: string[] = [];
  const image: Tree["image"] = (path, limit) => {
    read.push(path);
    return place.tree.image(path, limit);
  };
  let told = {};
  const {
    lstatSync = 0,
    readdirSync = 0,
    ...others
  } = await systemCalls(async () => {
    const recorded = await record({ ...place, tree: { ...place.tree, image } });
    expect(recorded.gaps).toEqual([".git"]);
    writeFileSync(join(place.root, "d7/7"), "changed");
    rmSync(join(place.root, "d8"), { recursive: true });
    const { changes, uncovered, truncated } = await recorded.changes();
    told = { changes: changes.length, uncovered, truncated };
  });
  expect(told).toEqual({ changes: 1 + 501, uncovered: [], truncated: false });
  expect(read).toEqual(["d7/7"]);
  const entries = 50_000 + 100 + 1;
  expect(lstatSync).toBeLessThan(2 * entries + 700); // plus what rm itself uses
  expect(readdirSync).toBeLessThan(2 * 101 + 20);
  expect(Object.keys(others)).not.toContain("readFileSync");
});
