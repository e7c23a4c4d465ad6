import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Entry, Signal } from "../protocol/facts.ts";
import { scriptedModel, type ModelScript } from "../providers/scripted-model.ts";
import { StoreError } from "../session/store.ts";
import { storeAt } from "../session/testing/store-at.ts";
import { followUntil, testHost, type TestHost, type TestHostOptions } from "../testing/host.ts";
import { text } from "../tools/tool.ts";
import { CursorAhead, NoSuchSession } from "./session-host.ts";

async function stage(script: ModelScript, options: TestHostOptions = {}): Promise<TestHost> {
  const made = await testHost(scriptedModel(script), options);
  onTestFinished(async () => {
    await made.close();
    await made.remove();
  });
  return made;
}

async function newSession({ host }: TestHost, which = {}): Promise<string> {
  const made = await host.create(which);
  if (!made.ok) throw new Error(made.problem);
  return made.value.id;
}

const send = ({ host }: TestHost, id: string, words: string) =>
  host.command(id, { type: "send", content: text(words) });
const isEnd = (event: Entry | Signal): boolean => event.type === "turn-end";
const seqs = (events: readonly (Entry | Signal)[]): number[] =>
  events.flatMap((event) => ("seq" in event ? [event.seq] : []));
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

test("a sent message runs and its events reach the follower; a later follower receives the same facts", async () => {
  const made = await stage([[{ say: "Hello there." }]]);
  const id = await newSession(made);
  const following = followUntil(made.host, id, isEnd);
  expect(await send(made, id, "hi")).toEqual({ ok: true });
  const live = await following;
  const later = await followUntil(made.host, id, isEnd);
  expect(live.filter((event) => "seq" in event)).toEqual(later);
  expect(seqs(later)).toEqual(upTo(later.length));
});

test("an idle session is closed, keeps its follower, and is reopened by the next command", async () => {
  const made = await stage([[{ say: "One." }], [{ say: "Two." }]], { restMs: 0 });
  const id = await newSession(made);
  const ends = { count: 0 };
  const following = followUntil(made.host, id, (event) => isEnd(event) && ++ends.count === 2);
  await send(made, id, "first");
  await expect.poll(() => made.host.figures().open).toBe(0);
  expect(await made.store.holder(id)).toBeUndefined();
  expect(made.host.figures().followers).toBe(1);
  await send(made, id, "second");
  const told = await following;
  const facts = told.filter((event) => "seq" in event);
  expect(seqs(facts)).toEqual(upTo(facts.length));
});

test("a session continues in its workspace after each release of the workspace, with the settings read anew", async () => {
  const made = await stage((_, round) => [{ say: `Answer ${round}.` }], { restMs: 0, workspaceRestMs: 0 });
  await mkdir(join(made.workspace, ".claude/commands"), { recursive: true });
  const id = await newSession(made);
  for (const round of [1, 2, 3]) {
    await writeFile(join(made.workspace, ".claude/commands/go.md"), `Go on, round ${round}.`);
    await expect.poll(() => made.host.figures().open, { timeout: 60_000 }).toBe(0);
    const after = (await made.host.row(id))?.facts ?? 0;
    expect(await send(made, id, "/go")).toEqual({ ok: true });
    const told = await followUntil(made.host, id, isEnd, { after });
    expect(JSON.stringify(told)).toContain(`Go on, round ${round}.`);
  }
});

test("followers receive facts written by another process", async () => {
  const made = await stage([], { restMs: 0 });
  const id = await newSession(made);
  await expect.poll(() => made.host.figures().open).toBe(0);
  const following = followUntil(made.host, id, (event) => event.type === "warning");
  const other = await storeAt(join(made.root, "state", "sessions.db"));
  const { facts = 0 } = (await other.get(id)) ?? {};
  const note = { type: "warning", code: "test", text: "from elsewhere" } as const;
  const stamp = { v: 1, seq: facts + 1, at: Date.now(), turn: 0 };
  await other.append(id, await other.claim(id), [{ ...note, ...stamp }]);
  await other.close();
  expect((await following).at(-1)).toMatchObject(note);
});

test("what an answer had said when its program was killed is told to who follows it later", async () => {
  const made = await stage([[{ say: "Hello again." }]], { restMs: 0 });
  const id = await newSession(made);
  await expect.poll(() => made.host.figures().open).toBe(0);
  const { facts = 0 } = (await made.store.get(id)) ?? {};
  const epoch = await made.store.claim(id);
  const killed = { v: 1 as const, at: Date.now(), turn: 1 };
  await made.store.append(id, epoch, [
    { ...killed, seq: facts + 1, type: "user-message", content: text("hi") },
    { ...killed, seq: facts + 2, type: "turn-start", mode: "ask", model: "scripted/model" },
  ]);
  await made.store.keepOpenBlock(id, epoch, { block: 1, kind: "text", text: "Hel" });
  const told = await followUntil(made.host, id, ({ type }) => type === "text-delta");
  expect(told.at(-1)).toEqual({ type: "text-delta", block: 1, offset: 0, text: "Hel" });
  expect(seqs(told)).toEqual(upTo(facts + 2));
});

test("a reader that reconnects from any position receives each fact once", async () => {
  const script: ModelScript = (_, round) => [{ think: "Hm." }, { say: `Answer ${round}. `.repeat(20) }];
  const made = await stage(script, { restMs: 0 });
  const id = await newSession(made);
  for (const words of ["a", "b", "c"]) {
    await send(made, id, words);
    await followUntil(made.host, id, isEnd, { after: (await made.host.row(id))?.facts ?? 0 }).catch(() => 0);
  }
  const all = await made.host.facts(id, 0, 1000);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(6), { maxLength: 8 }), async (lengths) => {
      let after = 0;
      const heard: number[] = [];
      for (const length of [...lengths, all.length]) {
        if (after >= all.length) break;
        const until = Math.min(all.length, after + length);
        if (until === after) continue;
        const part = await followUntil(made.host, id, (event) => "seq" in event && event.seq === until, {
          after,
        });
        heard.push(...seqs(part));
        after = until;
      }
      expect(heard).toEqual(upTo(heard.length));
      expect(after).toBe(all.length);
    }),
    { numRuns: 25 },
  );
});

test("B13: a question is denied without a person; with a person it waits for the answer", async () => {
  const risky: ModelScript = (_, round) =>
    round % 2 === 1 ? [{ call: "run_command", with: { command: "npm publish" } }] : [{ say: "Done." }];
  const made = await stage(risky, { mode: "ask" });
  const alone = await newSession(made);
  await send(made, alone, "publish");
  const denied = await followUntil(made.host, alone, isEnd);
  expect(denied.some(({ type }) => type === "approval-asked")).toBe(false);
  expect(denied).toContainEqual(expect.objectContaining({ type: "result", outcome: "denied" }));

  const watched = await newSession(made);
  const following = followUntil(made.host, watched, ({ type }) => type === "approval-asked", {
    person: true,
  });
  await expect.poll(() => made.host.figures().followers).toBe(1);
  await send(made, watched, "publish");
  const asked = (await following).at(-1);
  expect(asked).toMatchObject({ type: "approval-asked" });
  expect((await made.host.row(watched))?.standing).toBe("waiting");
});

test("B13: a person counts as present from the moment of following: a message sent right after asks them", async () => {
  const made = await stage(
    [[{ call: "run_command", with: { command: "npm publish" } }], [{ say: "Done." }]],
    {
      mode: "ask",
    },
  );
  const id = await newSession(made);
  const following = followUntil(made.host, id, ({ type }) => type === "approval-asked" || type === "result", {
    person: true,
  });
  expect(made.host.figures().followers).toBe(1);
  await send(made, id, "publish");
  expect((await following).at(-1)).toMatchObject({ type: "approval-asked" });
});

test("B13: a person who has left is not asked", async () => {
  const made = await stage(
    [[{ call: "run_command", with: { command: "npm publish" } }], [{ say: "Done." }]],
    {
      mode: "ask",
    },
  );
  const id = await newSession(made);
  await followUntil(made.host, id, () => true, { person: true });
  await send(made, id, "publish");
  const told = await followUntil(made.host, id, isEnd);
  expect(told.map(({ type }) => type)).not.toContain("approval-asked");
});

test("a person who reloads the page counts as present meanwhile and finds the question", async () => {
  const made = await stage(
    [[{ call: "run_command", with: { command: "npm publish" } }], [{ say: "Done." }]],
    { mode: "ask", absentMs: 600_000 },
  );
  const id = await newSession(made);
  await followUntil(made.host, id, () => true, { person: true });
  await send(made, id, "publish");
  const told = await followUntil(
    made.host,
    id,
    ({ type }) => type === "approval-asked" || type === "turn-end",
  );
  expect(told.at(-1)).toMatchObject({ type: "approval-asked" });
});

test("a working session stays open, however long it is silent", async () => {
  const gate = Promise.withResolvers<void>();
  const rested = await stage([[{ say: "One." }, { wait: gate.promise }, { say: "Two." }]], { restMs: 0 });
  const working = await newSession(rested);
  await send(rested, working, "go");
  const resting = await newSession(rested);
  await expect.poll(() => rested.host.figures().open).toBe(1);
  expect((await rested.host.row(resting))?.standing).toBe("idle");
  gate.resolve();
  const end = (await followUntil(rested.host, working, isEnd)).at(-1);
  expect(end).toMatchObject({ stopped: "done", text: "One.Two." });
});

test("B13: a new session is staged: a file change only yields a token, and nothing is written", async () => {
  const made = await stage([
    [{ call: "write_file", with: { path: "a.txt", content: "new\n" } }],
    [{ say: "Staged." }],
  ]);
  const id = await newSession(made);
  await send(made, id, "write");
  const told = await followUntil(made.host, id, isEnd);
  expect(told).toContainEqual(expect.objectContaining({ type: "change-staged" }));
  expect(told.some(({ type }) => type === "change-applied")).toBe(false);
});

test("sessions of several workspaces run in parallel, each in its own", async () => {
  const made = await stage(() => [{ say: "Here." }]);
  const other = join(made.root, "other");
  await mkdir(other);
  const ids = [await newSession(made), await newSession(made, { workspace: other })];
  await Promise.all(ids.map((id) => send(made, id, "go")));
  await Promise.all(ids.map((id) => followUntil(made.host, id, isEnd)));
  const rows = (await made.host.rows({ limit: 10 })).sessions;
  expect(rows.map(({ workspace }) => workspace).toSorted()).toEqual([other, made.workspace].toSorted());
});

test("a workspace that does not exist is refused by name, and not created", async () => {
  const made = await stage([]);
  await writeFile(join(made.root, "file"), "");
  for (const workspace of ["relative", join(made.root, "missing"), join(made.root, "file")]) {
    const refused = await made.host.create({ workspace });
    expect(refused).toMatchObject({ ok: false, problem: expect.stringContaining(workspace) });
  }
});

test("every operation on a session that does not exist reports NoSuchSession", async () => {
  const { host } = await stage([]);
  const none = "20200101-000000-000000";
  await expect(followUntil(host, none, () => true)).rejects.toThrow(NoSuchSession);
  await expect(host.command(none, { type: "interrupt" })).rejects.toThrow(NoSuchSession);
  await expect(host.review(none)).rejects.toThrow(NoSuchSession);
  await expect(host.fork(none)).rejects.toThrow(NoSuchSession);
  await expect(host.remove(none)).rejects.toThrow(NoSuchSession);
  expect(await host.row(none)).toBeUndefined();
});

test("a session keeps its own mode when it is closed and reopened", async () => {
  const made = await stage(() => [{ say: "Fine." }], { restMs: 0 });
  const id = await newSession(made, { mode: "plan" });
  await expect.poll(() => made.host.figures().open).toBe(0);
  await send(made, id, "go");
  const told = await followUntil(made.host, id, isEnd);
  expect(told).toContainEqual(expect.objectContaining({ type: "turn-start", mode: "plan" }));
});

test("a draining host accepts no new work and lets running turns finish", async () => {
  const gate = Promise.withResolvers<void>();
  const made = await stage([[{ say: "A" }, { wait: gate.promise }, { say: " whole answer." }]]);
  const id = await newSession(made);
  await send(made, id, "go");
  const draining = made.host.drain(60_000);
  expect(await send(made, id, "more")).toMatchObject({ ok: false });
  expect(await made.host.create({})).toMatchObject({ ok: false });
  gate.resolve();
  await draining;
  await made.host.close();
  const end = (await made.host.facts(id, 0, 100)).findLast(({ type }) => type === "turn-end");
  expect(end).toMatchObject({ stopped: "done", text: "A whole answer." });
});

test("session lists are paged and show titles, and a search shows excerpts", async () => {
  const made = await stage(() => [{ say: "Something about marmalade." }]);
  const ids = [await newSession(made, { title: "first" }), await newSession(made), await newSession(made)];
  for (const id of ids) {
    await send(made, id, "spread");
    await followUntil(made.host, id, isEnd);
  }
  const first = await made.host.rows({ limit: 2 });
  expect(first.more).toBe(true);
  const rest = await made.host.rows({ limit: 2, after: first.sessions.at(-1)?.id ?? "" });
  expect(rest.more).toBe(false);
  expect([...first.sessions, ...rest.sessions].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const found = await made.host.rows({ search: "marmalade", limit: 10 });
  expect(found.sessions).toHaveLength(3);
  expect(found.sessions[0]?.excerpt).toContain("marmalade");
  expect(rest.sessions.concat(first.sessions).map(({ title }) => title)).toContain("first");
});

test("deleting a session ends its followers and removes it from lists", async () => {
  const made = await stage(() => [{ say: "x" }]);
  const id = await newSession(made);
  await send(made, id, "go");
  await followUntil(made.host, id, isEnd);
  const following = followUntil(made.host, id, () => false);
  await expect.poll(() => made.host.figures().followers).toBe(1);
  expect(await made.host.remove(id)).toEqual({ ok: true, value: undefined });
  expect(seqs(await following).length).toBeGreaterThan(3);
  expect((await made.host.rows({ limit: 5 })).sessions).toEqual([]);
});

test("a request for a session that is deleted while it opens is rejected with NoSuchSession", async () => {
  const made = await stage([], { restMs: 0 });
  const id = await newSession(made);
  await expect.poll(() => made.host.figures().open, { timeout: 60_000 }).toBe(0);
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const claim = made.store.claim.bind(made.store);
  made.store.claim = async (...which) => {
    reached.resolve();
    await gate.promise;
    return claim(...which);
  };
  const asked = made.host.context(id);
  await reached.promise;
  expect(await made.host.remove(id)).toEqual({ ok: true, value: undefined });
  gate.resolve();
  await expect(asked).rejects.toThrow(NoSuchSession);
  await expect(made.host.command(id, { type: "go-on" })).rejects.toThrow(NoSuchSession);
});

test("a session with a running turn is not deleted", async () => {
  const gate = Promise.withResolvers<void>();
  const made = await stage([[{ say: "A" }, { wait: gate.promise }]]);
  const id = await newSession(made);
  await send(made, id, "go");
  expect(await made.host.remove(id)).toMatchObject({
    ok: false,
    problem: expect.stringContaining("Interrupt"),
  });
  gate.resolve();
  await followUntil(made.host, id, isEnd);
});

test("the full output of a call is available after its session was closed", async () => {
  const lines = Array.from({ length: 3000 }, (_, line) => `line ${line}`).join("\n");
  const made = await stage([[{ call: "read_file", with: { path: "long.txt" } }], [{ say: "Read." }]], {
    files: { "long.txt": lines },
    restMs: 0,
  });
  const id = await newSession(made);
  await send(made, id, "read it");
  const told = await followUntil(made.host, id, isEnd);
  const call = told.find((event) => event.type === "result");
  const whole = await made.host.result(id, call?.callId ?? "");
  expect(whole).toMatchObject({ ok: true, value: expect.stringContaining("line 1000") });
  expect(await made.host.result(id, "nothing")).toMatchObject({ ok: false });
});

test("an exported session can be imported as another session", async () => {
  const made = await stage(() => [{ say: "Kept." }]);
  const id = await newSession(made);
  await send(made, id, "go");
  await followUntil(made.host, id, isEnd);
  const pieces: Uint8Array[] = [];
  for await (const line of made.host.export(id)) pieces.push(new TextEncoder().encode(line));
  const imported = await made.host.import(
    (async function* () {
      yield* pieces;
    })(),
  );
  if (!imported.ok) throw new Error(imported.problem);
  expect(imported.value).toMatchObject({ was: { id }, closed: false });
  expect(await made.host.facts(imported.value.id, 0, 100)).toHaveLength(imported.value.facts);
});

test("an export holds no content for undo with a configured key: it would bring the key into another session", async () => {
  const key = "provider-a1B2c3D4e5F6-provider";
  const made = await stage(
    [
      [
        { call: "write_file", with: { path: "secret.txt", content: "new" } },
        { call: "write_file", with: { path: "plain.txt", content: "new" } },
      ],
      [{ say: "Done." }],
    ],
    {
      mode: "auto",
      files: {
        "secret.txt": `KEY=${key}\n`,
        "plain.txt": "KEY=none\n",
        "../.config/toolwright/config.json": JSON.stringify({
          providers: { mine: { baseUrl: "http://127.0.0.1:1/v1", key, models: ["model"] } },
        }),
      },
    },
  );
  const id = await newSession(made);
  await send(made, id, "go");
  await followUntil(made.host, id, isEnd);
  let exported = "";
  for await (const line of made.host.export(id)) exported += line;
  const contents = [...exported.matchAll(/"base64":"([^"]*)"/gu)].map(([, base64 = ""]) =>
    Buffer.from(base64, "base64").toString(),
  );
  expect(contents).toContain("KEY=none\n");
  expect(contents.join()).not.toContain(key);
});

test("a turn broken off by a store failure is reported to its followers and can be continued", async () => {
  const made = await stage(() => [{ say: "Whole." }]);
  const { store } = made;
  const append = store.append.bind(store);
  let isFull = true;
  store.append = async (session, epoch, entries) => {
    if (isFull && entries.some(({ type }) => type === "answer-end")) {
      isFull = false;
      throw new StoreError("The disk is full.");
    }
    return append(session, epoch, entries);
  };
  const id = await newSession(made);
  await send(made, id, "go");
  const told = await followUntil(made.host, id, ({ type }) => type === "warning");
  expect(told.at(-1)).toMatchObject({
    code: "broken-off",
    text: expect.stringContaining("The disk is full."),
  });
  await expect.poll(async () => (await made.host.row(id))?.standing).toBe("left-open");
  expect(await made.host.command(id, { type: "go-on" })).toEqual({ ok: true });
  expect((await followUntil(made.host, id, isEnd)).at(-1)).toMatchObject({ stopped: "done" });
});

test("a follower with a cursor beyond the session's end is rejected instead of waiting forever", async () => {
  const made = await stage(() => [{ say: "x" }]);
  const id = await newSession(made);
  const { facts = 0 } = (await made.host.row(id)) ?? {};
  await expect(followUntil(made.host, id, () => true, { after: facts + 1 })).rejects.toThrow(CursorAhead);
  const following = followUntil(made.host, id, isEnd, { after: facts });
  await send(made, id, "go");
  expect(seqs(await following)[0]).toBe(facts + 1);
});
