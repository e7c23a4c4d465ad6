/** Checks after a fault: the log agrees with the disk and the store, and no process keeps working unseen. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Entry } from "../../src/protocol/facts.ts";
import { step } from "../../src/protocol/fold.ts";
import { emptyState } from "../../src/protocol/session-state.ts";
import { neededImages } from "../../src/session/session-images.ts";
import { openSqliteStore } from "../../src/session/sqlite/sqlite.ts";
import { struckSession } from "./recovery.ts";

type Left = { database: string; root: string };

export async function expectAgreement({ database, root }: Left, entries: readonly Entry[]): Promise<void> {
  for (const [path, hash] of lastHashes(entries)) expect(hashOfFile(join(root, path)), path).toBe(hash);
  const store = openSqliteStore(database);
  const summary = await struckSession(store);
  const id = summary?.id ?? "";
  for (const { hash } of neededImages(entries.reduce(step, emptyState())))
    expect(await store.image(id, hash), `what undo needs: ${hash}`).toBeDefined();
  expect([await store.holder(id), await store.processes(id), await store.openBlock(id)]).toEqual([
    undefined,
    [],
    undefined,
  ]);
  await store.close();
  expect(busyIn(root), "processes that work on there").toEqual([]);
}

/** The content of each file according to the log: after its last change or undo. */
function lastHashes(entries: readonly Entry[]): Map<string, string | null> {
  const changes = entries.flatMap((entry) =>
    entry.type === "change-applied" || entry.type === "changes-undone" ? entry.changes : [],
  );
  return new Map(changes.map(({ path, after }) => [path, after]));
}

function hashOfFile(path: string): string | null {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return null;
  }
}

/** Commands run in the workspace; we do not. */
function busyIn(root: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(root);
    } catch {
      return false;
    }
  });
}
