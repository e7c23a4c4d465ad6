import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry } from "../../src/protocol/facts.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { storeAt } from "../../src/session/testing/store-at.ts";
import { scale } from "../../src/testing/scale.ts";
import { testSession } from "../../src/testing/session.ts";
import { goOn } from "../faults/answering.ts";
import { hashOf, type Line } from "../faults/plan.ts";
import { expectWhole } from "../support/whole-log.ts";
import { workspaceAt } from "../support/workspace-at.ts";

/** Kills of each of the two sessions. */
const kills = 30 * scale;

test.concurrent.each(["one", "two"])(
  "SAFETY 6: a session killed at random times, over and over, loses nothing that it reported (%s)",
  async () => {
    const place = await mkdtemp(join(tmpdir(), "toolwright-random-"));
    const root = join(place, "work");
    const database = join(place, "sessions.db");
    await mkdir(root);
    await writeFile(join(root, "count.txt"), "0\n");
    const told = new Map<number, string>();
    for (let at = 0; at < kills; at += 1)
      for (const { seq, hash } of await workAndDie(database, root)) {
        expect(told.get(seq) ?? hash, `fact ${seq}`).toBe(hash);
        told.set(seq, hash);
      }
    const entries = await closing(database, root);
    for (const [seq, hash] of told) {
      const stored = entries[seq - 1];
      expect(stored && hashOf(stored), `fact ${seq}`).toBe(hash);
    }
    await expectCountedOnce(entries, root);
    expect(told.size).toBeGreaterThan(kills);
    await rm(place, { recursive: true });
  },
);

/** Kills the worker a random time after its first output, and returns the facts that it reported. */
async function workAndDie(database: string, root: string): Promise<{ seq: number; hash: string }[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../faults/worker.ts"), database, root], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pieces: string[] = [];
  let killing: NodeJS.Timeout | undefined;
  child.stdout.on("data", (piece: Buffer) => {
    pieces.push(piece.toString());
    killing ??= setTimeout(() => child.kill("SIGKILL"), Math.random() * 250);
  });
  await once(child, "close");
  // The last line may be cut off.
  const lines = pieces.join("").split("\n").slice(0, -1);
  return lines.flatMap((line) => {
    const read: Line = JSON.parse(line);
    return "told" in read ? [read.told] : [];
  });
}

/** The stored facts after the session was reopened a last time and its last turn ended. */
async function closing(database: string, root: string): Promise<Entry[]> {
  const store = await storeAt(database);
  const [summary] = await store.list();
  const workspace = workspaceAt(root);
  const opened = await testSession(
    scriptedModel(() => [{ say: "Over." }]),
    { store, workspace, resume: summary?.id ?? "" },
  );
  await goOn(opened.session);
  await opened.ask("Is it over?");
  await opened.close();
  const entries = await store.read(opened.session.id, 0);
  await store.close();
  return entries;
}

/** The counter equals the recorded changes, no command ran more often than started, and nothing is left behind. */
async function expectCountedOnce(entries: readonly Entry[], root: string): Promise<void> {
  expectWhole(entries);
  const applied = entries.flatMap((entry) => (entry.type === "change-applied" ? entry.changes : []));
  const counted = applied.filter(({ path }) => path === "count.txt");
  expect(await readFile(join(root, "count.txt"), "utf8")).toBe(`${counted.length}\n`);
  const starts = entries.filter((entry) => entry.type === "call-start" && entry.does === "execute").length;
  const log = await readFile(join(root, "log.txt"), "utf8").catch(() => "");
  expect(log.split("\n").length - 1).toBeLessThanOrEqual(starts);
  expect((await readdir(root)).filter((name) => name !== "count.txt" && name !== "log.txt")).toEqual([]);
}
