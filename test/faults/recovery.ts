/** Recovery after a fault: the session is reopened, runs to its end, and is checked for completeness. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import type { Entry } from "../../src/protocol/facts.ts";
import { openSqliteStore } from "../../src/session/sqlite/sqlite.ts";
import type { SessionSummary, Store } from "../../src/session/store.ts";
import { testSession } from "../../src/testing/session.ts";
import { expectWhole } from "../support/whole-log.ts";
import { workspaceAt } from "../support/workspace-at.ts";
import { goOn } from "./answering.ts";
import { hashOf, type Line } from "./plan.ts";
import { files, taskModel } from "./task.ts";

export type Left = { database: string; root: string };

/**
 * Opens the session, lets it go on, asks for one more turn, and gives what is stored then. `again`: an undo that was
 * cut short, or could not be recorded, is asked for again, as its words say.
 */
export async function goOnAfter({ database, root }: Left, again?: "undo"): Promise<Entry[]> {
  const store = openSqliteStore(database);
  try {
    const summary = await struckSession(store);
    const workspace = workspaceAt(root);
    const resume = summary ? { resume: summary.id } : {};
    const opened = await testSession(taskModel(), { store, workspace, ...resume });
    await goOn(opened.session);
    if (again) await opened.session.command({ type: again });
    await opened.ask("And once more: is all done?");
    await opened.close();
    return await store.read(opened.session.id, 0);
  } finally {
    await store.close();
  }
}

/** A list does not put it first while its time lies ahead. */
export async function struckSession(store: Store): Promise<SessionSummary | undefined> {
  return (await store.list()).toSorted((one, other) => other.updatedAt - one.updatedAt)[0];
}

/** No reported fact is lost or changed, the log is whole, and nothing was done twice or by half. */
export async function expectNothingLost(
  { database, root }: Left,
  { entries, lines }: { entries: readonly Entry[]; lines: readonly Line[] },
): Promise<void> {
  expectWhole(entries);
  for (const line of lines) {
    const stored = "told" in line ? entries[line.told.seq - 1] : undefined;
    if ("told" in line) expect(stored && hashOf(stored), `fact ${line.told.seq}`).toBe(line.told.hash);
  }
  const present = await contentsOf(root);
  for (const [name, old] of Object.entries(files)) expect(allowed(name, old)).toContain(present[name]);
  // A shell creates the file before it notices that the disk is full.
  expect([undefined, "", "x\n"]).toContain(present["log.txt"]);
  expect(timesOf(present["log.txt"])).toBeLessThanOrEqual(startsOf(entries));
  expect(Object.keys(present).filter((name) => !(name in files) && name !== "log.txt")).toEqual([]);
  const states = ["b.txt", "c.txt", "d.txt"].map((name) => present[name]?.includes("more"));
  expect(new Set(states).size, "a patch is made whole or not at all").toBe(1);
  const opened = new DatabaseSync(database, { readOnly: true });
  expect(opened.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  opened.close();
}

/** The possible content of a file: the old one, with or without the added line. */
const allowed = (name: string, old: string): string[] =>
  name === "long.txt" ? [old] : [old, old + (name === "a.txt" ? "two\n" : "more\n")];

const timesOf = (log = ""): number => log.split("x").length - 1;

/** How often the command was started; every start is a fact. */
const startsOf = (entries: readonly Entry[]): number =>
  entries.filter((entry) => entry.type === "call-start" && entry.does === "execute").length;

async function contentsOf(root: string): Promise<Record<string, string>> {
  const names = await readdir(root);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(root, name), "utf8")] as const)),
  );
}
