import { join } from "node:path";
import { expect, test } from "vitest";
import { StaleEpoch, StoreError } from "../store.ts";
import { JointChanges } from "./joint-changes.ts";
import { newDirectory, openTestStore } from "./testing/sqlite.ts";

test("changes asked for in one turn of the loop are stored at once, later ones by themselves", async () => {
  const stored: string[][] = [];
  let storing: string[] = [];
  const changes = new JointChanges(async (work) => {
    storing = [];
    work();
    stored.push(storing);
  });
  const add = (what: string): Promise<void> => changes.add(() => void storing.push(what));
  await Promise.all([add("a"), add("b"), add("c")]);
  await add("d");
  expect(stored).toEqual([["a", "b", "c"], ["d"]]);
});

test("all of them fail if they cannot be stored", async () => {
  const full = new StoreError("The disk is full.");
  const changes = new JointChanges(() => Promise.reject(full));
  const outcomes = await Promise.allSettled([changes.add(() => undefined), changes.add(() => undefined)]);
  expect(outcomes).toEqual([
    { status: "rejected", reason: full },
    { status: "rejected", reason: full },
  ]);
});

test("what was asked for rides along with a larger change, and is stored alone if that fails", async () => {
  const stored: string[][] = [];
  const store = async (work: () => void): Promise<void> => {
    stored.push([]);
    work();
  };
  const changes = new JointChanges(store);
  const note = (what: string): void => void stored.at(-1)?.push(what);
  const first = changes.add(() => note("counts"));
  await Promise.all([first, changes.takeAlong(() => note("facts"), store)]);
  const second = changes.add(() => note("more counts"));
  const stale = new StaleEpoch("s");
  const refused = changes.takeAlong(() => {
    throw stale;
  }, store);
  await expect(refused).rejects.toBe(stale);
  await second;
  await changes.settled();
  expect(stored).toEqual([["facts", "counts"], [], ["more counts"]]);
});

test("an open block that is refused keeps those of other sessions from nothing, and closing stores what waits", async () => {
  const store = openTestStore(join(newDirectory(), "sessions.db"));
  const ids = ["one", "two", "taken"];
  for (const id of ids) await store.create({ id, workspace: "/w", createdAt: 0 });
  const epochs = await Promise.all(ids.map((id) => store.claim(id)));
  await store.claim("taken");
  const kept = ids.map((id, at) =>
    store.keepOpenBlock(id, epochs[at] ?? 0, { block: 1, kind: "text", text: `of ${id}` }),
  );
  const outcomes = await Promise.allSettled([...kept, store.keepOpenBlock("nobody", 1, undefined)]);
  expect(outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : "kept"))).toEqual([
    "kept",
    "kept",
    expect.any(StaleEpoch),
    expect.any(StoreError),
  ]);
  expect(await Promise.all(ids.map(async (id) => (await store.openBlock(id))?.text))).toEqual([
    "of one",
    "of two",
    undefined,
  ]);
  const last = store.keepOpenBlock("one", epochs[0] ?? 0, {
    block: 1,
    kind: "text",
    text: "of one, to its end",
  });
  await store.close();
  await expect(last).resolves.toBeUndefined();
});
