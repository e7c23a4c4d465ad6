/** For end-to-end tests: opens the sessions that a command left behind, and checks that they are complete. */

import { join } from "node:path";
import { expect } from "vitest";
import type { Entry } from "../../src/protocol/facts.ts";
import { step } from "../../src/protocol/fold.ts";
import { emptyState } from "../../src/protocol/session-state.ts";
import { storeAt } from "../../src/session/testing/store-at.ts";

/** The facts of each session in the state directory, the newest session first. */
export async function readSessions(stateDir: string): Promise<Entry[][]> {
  const store = await storeAt(join(stateDir, "sessions.db"));
  try {
    const sessions: Entry[][] = [];
    for (const { id } of await store.list()) sessions.push(await store.read(id, 0));
    return sessions;
  } finally {
    await store.close();
  }
}

/** The facts of the only session, after checking that nothing is left open and no turn ended without text (E5). */
export async function wholeSession(stateDir: string): Promise<Entry[]> {
  const sessions = await readSessions(stateDir);
  expect(sessions).toHaveLength(1);
  const [entries = []] = sessions;
  expectWhole(entries);
  return entries;
}

export function expectWhole(entries: readonly Entry[]): void {
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1));
  const calls = entries.flatMap((entry) => (entry.type === "call" ? [entry.call.id] : []));
  const results = entries.flatMap((entry) => (entry.type === "result" ? [entry.callId] : []));
  expect(results.toSorted()).toEqual(calls.toSorted());
  const state = entries.reduce(step, emptyState());
  expect({ status: state.status, open: [...state.open] }).toEqual({ status: "idle", open: [] });
  expect(entries.at(-1)?.type).toBe("turn-end");
  for (const end of entries.filter((entry) => entry.type === "turn-end")) {
    expect(end.text.trim()).not.toBe("");
    const said = entries.filter((entry) => entry.type === "text" && entry.turn === end.turn);
    expect(said.length).toBeGreaterThan(0);
  }
}

/** How the last turn ended. */
export function lastEnd(entries: readonly Entry[]): Extract<Entry, { type: "turn-end" }> {
  const end = entries.at(-1);
  if (end?.type !== "turn-end") throw new Error(`The last fact is ${end?.type}, not turn-end.`);
  return end;
}
