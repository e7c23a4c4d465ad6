import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { sha256 } from "../src/base/crypto.ts";
import { step } from "../src/protocol/fold.ts";
import { emptyState } from "../src/protocol/session-state.ts";
import { neededImages } from "../src/session/session-images.ts";
import { openSqliteStore } from "../src/session/sqlite/sqlite.ts";
import { scale } from "../src/testing/scale.ts";

const kills = 4 * scale;

test("shared contents stay as long as one session needs them, through copies, deletions, imports and kills", async () => {
  const place = await mkdtemp(join(tmpdir(), "toolwright-contents-"));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const path = join(place, "s.db");
  const made = new Set<string>();
  for (let at = 0; at < kills; at += 1) {
    for (const line of await workAndDie(path))
      if ("made" in line) made.add(line.made);
      else made.delete(line.deletes);
    const stored = await expectContents(path);
    expect([...made].filter((id) => !stored.has(id))).toEqual([]);
  }
  expect(made.size).toBeGreaterThan(0);
  const store = openSqliteStore(path);
  for (const { id } of await store.list()) await store.delete(id);
  await store.close();
  await expectContents(path);
});

type Line = { made: string } | { deletes: string };

/** The lines that the child printed before it was killed, some time after its first output. */
async function workAndDie(database: string): Promise<Line[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support/contents-child.ts"), database], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [told, wrong]: [string[], string[]] = [[], []];
  let killing: NodeJS.Timeout | undefined;
  child.stderr.on("data", (piece: Buffer) => wrong.push(piece.toString()));
  child.stdout.on("data", (piece: Buffer) => {
    told.push(piece.toString());
    killing ??= setTimeout(() => child.kill("SIGKILL"), Math.random() * 400);
  });
  const [, signal] = await once(child, "close");
  expect([signal, wrong.join("")]).toEqual(["SIGKILL", ""]);
  const lines = told.join("").split("\n").slice(0, -1);
  return lines.map((line): Line => JSON.parse(line));
}

/** Checks that every session has all contents it refers to, and that no other is kept. Returns the sessions' ids. */
async function expectContents(path: string): Promise<Set<string>> {
  const store = openSqliteStore(path);
  const sessions = await store.list();
  for (const { id, facts } of sessions) {
    const entries = await store.read(id, 0);
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: facts }, (_, at) => at + 1));
    for (const entry of entries) {
      if (entry.type === "text" && entry.by !== "toolwright") expect(entry.text).toMatch(/^text \d text \d/);
      if (entry.type === "result" && entry.full)
        expect(sha256((await store.getBlob(entry.full.blob)) ?? Buffer.of())).toBe(entry.full.blob);
    }
    for (const { hash } of neededImages(entries.reduce(step, emptyState())))
      expect(sha256((await store.image(id, hash)) ?? Buffer.of())).toBe(hash);
  }
  await store.close();
  const database = new DatabaseSync(path);
  expect(database.prepare(nobodys).get()).toEqual({ blobs: 0, images: 0, words: 0, wrong: 0 });
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  database.close();
  return new Set(sessions.map(({ id }) => id));
}

const nobodys = `SELECT
  (SELECT count(*) FROM blobs WHERE hash NOT IN (SELECT hash FROM blob_users UNION SELECT hash FROM loose_blobs)) AS blobs,
  (SELECT count(*) FROM images WHERE hash NOT IN (SELECT hash FROM image_owners)) AS images,
  (SELECT count(*) FROM said WHERE session NOT IN (SELECT id FROM sessions)) AS words,
  (SELECT bytes FROM image_total) - (SELECT coalesce(sum(size), 0) FROM images) AS wrong`;
