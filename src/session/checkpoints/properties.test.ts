import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "../../base/crypto.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import type { OnConflict } from "../../protocol/commands.ts";
import { checkpointsOf } from "../../protocol/fold-changes.ts";
import { scale } from "../../testing/scale.ts";
import { StoreError, type Store } from "../store.ts";
import { WrappedStore } from "../testing/wrapped-store.ts";
import type { Undone } from "./checkpoints.ts";
import { ChangedWorkspace, killedAfter, type WantedState } from "./testing/workspace.ts";

const runs = 12 * scale;
const paths = ["a", "b", "d/a"] as const;

type Snapshot = Record<string, string>;
/** How a writer changes a file: which lines it removes, and where it adds lines. */
type Edit = { path: (typeof paths)[number]; goes: number[]; comes: number[]; deletes: boolean };

const edit: fc.Arbitrary<Edit> = fc.record({
  path: fc.constantFrom(...paths),
  goes: fc.array(fc.nat({ max: 15 }), { maxLength: 2 }),
  comes: fc.array(fc.nat({ max: 15 }), { maxLength: 3 }),
  deletes: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
});
const edits = fc.array(edit, { minLength: 1, maxLength: 4 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const which = { turn: maybe(fc.integer({ min: 1, max: 3 })), path: maybe(fc.constantFrom(...paths)) };

type Where = { turn?: number | undefined; path?: string | undefined };
type Undoing = Where & { hunk?: number | undefined; onConflict?: OnConflict | undefined };
type Act =
  | { type: "turn"; edits: Edit[] }
  | { type: "outside"; edits: Edit[] }
  | ({ type: "undo" } & Undoing)
  | ({ type: "redo" } & Where)
  | ({ type: "keep" } & Where);

const undoing = {
  type: fc.constant("undo" as const),
  onConflict: maybe(fc.constantFrom("skip" as const, "restore" as const, "merge" as const)),
};
const hunk = fc.integer({ min: 1, max: 2 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant("turn" as const), edits }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("outside" as const), edits }) },
  { weight: 4, arbitrary: fc.record({ ...undoing, ...which }) },
  { weight: 2, arbitrary: fc.record({ ...undoing, ...which, path: fc.constantFrom(...paths), hunk }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("redo" as const), ...which }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("keep" as const), ...which }) },
);

/** The text after an edit; its new lines name their writer. */
function edited(snapshot: Snapshot, { path, goes, comes, deletes }: Edit, writer: string): string | null {
  if (deletes) return null;
  const lines = linesIn(snapshot, path).filter((_, index) => !goes.includes(index));
  comes.forEach((at, index) => lines.splice(at, 0, `${writer}.${path}.${index}.${(serial += 1)}\n`));
  return lines.join("");
}
let serial = 0;

const linesIn = (snapshot: Snapshot, path: string): string[] =>
  (snapshot[path] ?? "")
    .replace(/^file \d+ /, "")
    .split(/(?<=\n)/)
    .filter((line) => line !== "");

const optionsOf = ({ turn, path }: Where) => ({
  ...(turn === undefined ? {} : { turn }),
  ...(path === undefined ? {} : { paths: [path] }),
});

/** Lines of writers other than the turn that have disappeared. */
function lost(before: Snapshot, after: Snapshot, turn: number): string[] {
  return paths.flatMap((path) => {
    const left = new Set(linesIn(after, path));
    return linesIn(before, path).filter((line) => !line.startsWith(`t${turn}.`) && !left.has(line));
  });
}

async function withWorkspace(
  work: (workspace: ChangedWorkspace) => Promise<void>,
  store?: Store,
): Promise<void> {
  const workspace = await ChangedWorkspace.open(store);
  try {
    workspace.put(
      "a",
      "base.a.1\nbase.a.2\nbase.a.3\nbase.a.4\nbase.a.5\nbase.a.6\nbase.a.7\nbase.a.8\nbase.a.9\n",
    );
    await work(workspace);
  } finally {
    await workspace.close();
  }
}

async function takeTurn(workspace: ChangedWorkspace, list: readonly Edit[]): Promise<void> {
  await workspace.begin();
  const writer = `t${workspace.log.state.turn}`;
  for (const one of list) await workspace.change({ [one.path]: edited(workspace.snapshot(), one, writer) });
  await workspace.end();
}

/** A file already as it should be may be due to a crashed undo: a redo then restores what that had undone. */
const wasThere = (undone: Undone, before: Snapshot, path: string): boolean =>
  undone.ok &&
  undone.fact.changes.every((file) => file.path !== path || file.before === hashIn(before, path));

function hashIn(snapshot: Snapshot, path: string): string | null {
  const text = snapshot[path];
  return text === undefined ? null : sha256(Buffer.from(text.replace(/^file \d+ /, "")));
}

/** Performs one act; returns whether it was an undo that succeeded. */
async function carryOut(workspace: ChangedWorkspace, one: Act): Promise<boolean> {
  const before = workspace.snapshot();
  switch (one.type) {
    case "turn":
      await takeTurn(workspace, one.edits);
      return false;
    case "outside":
      for (const each of one.edits) workspace.put(each.path, edited(workspace.snapshot(), each, "outside"));
      return false;
    case "keep":
      await workspace.keep(optionsOf(one));
      expect(workspace.snapshot()).toEqual(before);
      return false;
    case "redo":
      if (!(await workspace.redo(optionsOf(one))).ok) expect(workspace.snapshot()).toEqual(before);
      return false;
    case "undo":
      return undoAndBack(workspace, one, before);
    default:
      return one satisfies never;
  }
}

async function undoAndBack(workspace: ChangedWorkspace, one: Undoing, before: Snapshot): Promise<boolean> {
  const { hunk, onConflict } = one;
  const choice = onConflict === undefined ? {} : { onConflict };
  const request = { ...optionsOf(one), ...(hunk === undefined ? {} : { hunks: [hunk] }), ...choice };
  const undone = await workspace.undo(request);
  const after = workspace.snapshot();
  if (!undone.ok) {
    expect(after).toEqual(before);
    return false;
  }
  if (onConflict !== "restore") expect(lost(before, after, undone.fact.undoneTurn)).toEqual([]);
  expect(await workspace.redo({ turn: undone.fact.undoneTurn })).toMatchObject({ ok: true });
  const again = workspace.snapshot();
  for (const path of paths.filter((each) => wasThere(undone, before, each)))
    expect(again[path]).toBe(before[path]);
  expect(await workspace.undo(request)).toMatchObject({ ok: true });
  return true;
}

test("A40: no sequence of turns, outside edits, undo, redo and keep loses what the undone turn did not write", async () => {
  let undone = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), (acts) =>
      withWorkspace(async (workspace) => {
        for (const one of acts) undone += Number(await carryOut(workspace, one));
      }),
    ),
    { numRuns: runs },
  );
  expect(undone).toBeGreaterThan(0);
});

test("A40: undoing turns one by one, newest first, restores every earlier state of the tree", async () => {
  const wanted: fc.Arbitrary<WantedState> = fc.oneof(
    fc.constantFrom("", "one\n", "two\n", "three\n"),
    fc.constant(null),
    fc.record({ text: fc.constantFrom("one\n", "#!\n"), mode: fc.constantFrom(0o600, 0o755) }),
    fc.record({ link: fc.constantFrom("a", "../x") }),
  );
  const group = fc.dictionary(fc.constantFrom(...paths, "d/e/f"), wanted, { minKeys: 1, maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(group, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
      async (turns) => {
        await withWorkspace(async (workspace) => {
          const states: Snapshot[] = [];
          for (const groups of turns) {
            const before = workspace.snapshot();
            await workspace.turn(...groups);
            const last = checkpointsOf(workspace.log.state).at(-1);
            if (last?.files.length || last?.directories.length) states.push(before);
          }
          for (const before of states.toReversed()) {
            expect(await workspace.undo()).toMatchObject({ ok: true });
            expect(workspace.snapshot()).toEqual(before);
          }
          expect(await workspace.undo()).toMatchObject({ ok: false });
        });
      },
    ),
    { numRuns: runs },
  );
});

test("A41: an undo killed after any number of writes loses nothing and can be repeated", async () => {
  await fc.assert(
    fc.asyncProperty(edits, edits, fc.nat({ max: 4 }), async (first, second, writes) => {
      await withWorkspace(async (workspace) => {
        await takeTurn(workspace, first);
        const before = workspace.snapshot();
        await takeTurn(workspace, second);
        if (!checkpointsOf(workspace.log.state).at(-1)?.files.length) return;
        const after = workspace.snapshot();
        await expect(killed(workspace, (tree) => killedAfter(tree, Math.min(writes, 4)))).resolves.not.toBe(
          "refused",
        );
        await workspace.reopen();
        const again = await workspace.undo({ turn: 2 });
        // Even if everything but its fact was done.
        expect(again).toMatchObject({ ok: true });
        expect(workspace.snapshot()).toEqual(before);
        expect(await workspace.redo()).toMatchObject({ ok: true });
        expect(workspace.snapshot()).toEqual(after);
      });
    }),
    { numRuns: runs },
  );
});

/** An undo whose process dies; its fact is not stored. */
async function killed(workspace: ChangedWorkspace, over: (tree: Tree) => Tree): Promise<string> {
  const tree = workspace.files;
  const append = workspace.log.append.bind(workspace.log);
  workspace.log.append = () => Promise.reject(new Error("killed"));
  workspace.files = over(tree);
  try {
    const undone = await workspace.undo({ turn: 2 });
    return undone.ok ? "made" : "refused";
  } catch {
    return "killed";
  } finally {
    workspace.files = tree;
    workspace.log.append = append;
  }
}

/** Fails at its nth use. */
class FailingStore extends WrappedStore {
  left = Number.POSITIVE_INFINITY;

  override async keepImage(...of: Parameters<Store["keepImage"]>): Promise<string> {
    this.#use();
    return super.keepImage(...of);
  }

  override async append(...of: Parameters<Store["append"]>): Promise<void> {
    this.#use();
    return super.append(...of);
  }

  #use(): void {
    this.left -= 1;
    if (this.left < 0) throw new StoreError("The disk is full.");
  }
}

test("A41: a store that fails anywhere loses nothing, and the undo succeeds once the store works again", async () => {
  for (let place = 0; place < 4; place += 1) {
    const store = new FailingStore();
    await withWorkspace(async (workspace) => {
      workspace.put("b", "b\n");
      const before = workspace.snapshot();
      await workspace.turn({ a: "changed\n", b: null, "d/a": "new\n" });
      const after = workspace.snapshot();
      store.left = place;
      const failed = await workspace.undo().catch((error: unknown) => error);
      store.left = Number.POSITIVE_INFINITY;
      const between = workspace.snapshot();
      if (failed instanceof StoreError) {
        expect([before, after]).toContainEqual(between);
        expect(await workspace.undo()).toMatchObject({ ok: true });
      } else expect(place).toBe(3);
      expect(workspace.snapshot()).toEqual(before);
      expect(await workspace.redo()).toMatchObject({ ok: true });
      expect(workspace.snapshot()).toEqual(after);
    }, store);
  }
});
