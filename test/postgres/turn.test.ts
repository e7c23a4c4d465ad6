/** A turn over a server that crashes in the middle of it, and many writers at once. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { ownOwner } from "../../src/session/owner.ts";
import { newDatabase, openTestDatabase } from "../../src/session/postgres/testing/postgres.ts";
import { note } from "../../src/session/sqlite/testing/sqlite.ts";
import { StaleEpoch, type Store } from "../../src/session/store.ts";
import { testSession } from "../../src/testing/session.ts";
import { temporaryWorkspace } from "../../src/testing/workspace.ts";
import { expectWhole } from "../support/whole-log.ts";
import { databaseServer } from "./server.ts";

test("a turn goes on when its server has crashed and come back: every call is made once, and nothing is lost", async () => {
  const server = await databaseServer();
  onTestFinished(() => server.remove());
  const store = await openTestDatabase(server.address);
  const workspace = await temporaryWorkspace({ "a.txt": "0\n" });
  onTestFinished(() => workspace.remove());
  const rounds = 6;
  let crashes = 0;
  const model = scriptedModel((_prompt, round) =>
    round > rounds
      ? [{ say: "Counted." }]
      : [{ call: "edit_file", with: { path: "a.txt", old: `${round - 1}\n`, new: `${round}\n` } }],
  );
  const { session, ask, close } = await testSession(model, { store, workspace, mode: "accept-edits" });
  onTestFinished(close);
  const back: Promise<void>[] = [];
  session.log.listen((event) => {
    if (event.type !== "call-start" || back.length >= 3) return;
    crashes += 1;
    back.push(server.kill().then(() => server.start()));
  });
  await ask("Count.");
  await Promise.all(back);
  expect(crashes).toBe(3);
  const entries = await store.read(session.id, 0);
  expectWhole(entries);
  expect(entries.at(-1)).toMatchObject({ type: "turn-end", stopped: "done" });
  expect(entries.filter(({ type }) => type === "change-applied")).toHaveLength(rounds);
  expect(await workspace.read("a.txt")).toBe(`${rounds}\n`);
});

test("many sessions are written at once by two programs that take them from each other: every late write is refused", async () => {
  const address = await newDatabase();
  const stores = await Promise.all([openTestDatabase(address), openTestDatabase(address)]);
  const [first] = stores;
  const sessions = Array.from({ length: 20 }, (_, at) => `s${at}`);
  for (const id of sessions) await first.create({ id, workspace: "/w", createdAt: 1 });
  let refusals = 0;

  /** Takes the session and writes to it until somebody else has it. */
  async function write(store: Store, session: string, times: number): Promise<void> {
    const epoch = await store.claim(session, { owner: ownOwner(), takeOver: true });
    let last = (await store.heads([session])).get(session) ?? 0;
    try {
      for (let at = 0; at < times; at += 1) {
        await store.append(session, epoch, [note(last + 1, `${epoch}`)]);
        last += 1;
      }
    } catch (error) {
      if (!(error instanceof StaleEpoch)) throw error;
      refusals += 1;
    }
  }

  await Promise.all(
    sessions.flatMap((session) =>
      stores.flatMap((store) => [write(store, session, 8), write(store, session, 8)]),
    ),
  );
  for (const session of sessions) {
    const entries = await first.read(session, 0);
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1));
    const epochs = entries.map((entry) => (entry.type === "warning" ? Number(entry.text) : 0));
    expect(epochs).toEqual(epochs.toSorted((one, other) => one - other));
    expect((await first.heads([session])).get(session)).toBe(entries.length);
    for (const { seq } of entries) expect(await first.read(session, seq)).toEqual(entries.slice(seq));
  }
  expect(refusals).toBeGreaterThan(0);
});
