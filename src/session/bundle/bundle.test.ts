import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { sha256 } from "../../base/crypto.ts";
import { checkpointId } from "../../protocol/fold-changes.ts";
import { step } from "../../protocol/fold.ts";
import { emptyState } from "../../protocol/session-state.ts";
import { scale } from "../../testing/scale.ts";
import { openSqliteStore } from "../sqlite/sqlite.ts";
import { wholeLog } from "../testing/log-arbitrary.ts";
import { putBundle } from "./put.ts";
import {
  done,
  exportText,
  fullSession,
  importStore,
  isProtected,
  mustRead,
  readText,
  request,
  stamp,
  start,
  storeWith,
} from "./testing/bundles.ts";

const runs = scale * 30;

test("a bundle is complete: the imported session equals the original and exports to the same bytes", async () => {
  const store = await fullSession();
  const text = await exportText(store);
  const other = await importStore(text);
  expect(await other.read("s", 0)).toEqual(await store.read("s", 0));
  expect(await other.get("s")).toEqual(await store.get("s"));
  expect(await other.image("s", sha256(Buffer.from("before\n")))).toEqual(
    new Uint8Array(Buffer.from("before\n")),
  );
  expect(await exportText(other)).toBe(text);
});

test("imported under another id and workspace, a session differs in these only, and undo finds its contents", async () => {
  const text = await exportText(await fullSession());
  const other = await importStore(text, { id: "new-one", workspace: "/elsewhere", isProtected });
  const again = await exportText(other, "new-one");
  const names = (whole: string): string =>
    whole
      .replaceAll('"new-one"', '"s"')
      .replaceAll('"/elsewhere"', '"/w"')
      .replace(/"sha256":"\w+"/u, "");
  expect(names(again)).toBe(names(text));
  const owner = checkpointId((await other.read("new-one", 0)).reduce(step, emptyState()), 1);
  await other.dropImages("new-one", owner);
  expect(await other.image("new-one", sha256(Buffer.from("before\n")))).toBeUndefined();
});

test("a bundle imported into SQLite is complete, and its contents are deleted with the session", async () => {
  const text = await exportText(await fullSession());
  const directory = await mkdtemp(join(tmpdir(), "toolwright-bundle-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const store = openSqliteStore(join(directory, "sessions.db"));
  onTestFinished(() => store.close());
  await putBundle(store, await mustRead(text), { id: "s", workspace: "/w", isProtected });
  expect(await exportText(store)).toBe(text);
  const output = sha256(Buffer.from("all of it\n".repeat(2000)));
  expect((await store.getBlob(output))?.length).toBe(20_000);
  await store.delete("s");
  expect([await store.getBlob(output), await store.list()]).toEqual([undefined, []]);
});

test("any session survives export and import, in chunks of any size", async () => {
  await fc.assert(
    fc.asyncProperty(wholeLog, fc.integer({ min: 1, max: 5000 }), async (entries, size) => {
      const text = await exportText(await storeWith(entries));
      const bundle = await readText(text, size);
      expect(bundle).toMatchObject({ ok: true, value: { entries } });
      expect(await exportText(await importStore(text))).toBe(text);
    }),
    { numRuns: runs },
  );
});

test("a bundle truncated anywhere or with any bit flipped is refused in plain words", async () => {
  const whole = Buffer.from(await exportText(await fullSession()));
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  await fc.assert(
    fc.asyncProperty(place, fc.integer({ min: 0, max: 7 }), fc.boolean(), async (part, bit, isCut) => {
      const at = Math.floor(part * whole.length);
      const hurt = isCut ? whole.subarray(0, at) : Buffer.from(whole);
      if (!isCut) hurt[at] = (hurt[at] ?? 0) ^ (1 << bit);
      const bundle = await readText(hurt, 4096);
      expect(bundle.ok).toBe(false);
      if (!bundle.ok) expect(bundle.problem).toMatch(/^(?:it|a newer|the content|fact|its|a fact) .*[^.]$/u);
    }),
    { numRuns: runs * 4 },
  );
});

/** Every byte of a short bundle: such a check is most likely to be wrong at the ends. */
test("no byte of a short bundle can be lost, changed or added", async () => {
  const whole = Buffer.from(await exportText(await storeWith(stamp([start, request, done]))));
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const hurt = [changed, whole.subarray(0, at), Buffer.concat([whole, whole.subarray(0, at + 1)])];
    for (const bytes of hurt) expect((await readText(bytes, 64)).ok, `byte ${at}`).toBe(false);
  }
});
