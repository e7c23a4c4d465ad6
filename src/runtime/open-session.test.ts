import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "../base/crypto.ts";
import { identityOf } from "../base/process-identity.ts";
import { temporaryName } from "../base/safe-fs/temporary.ts";
import { factVersion, type Entry, type Fact } from "../protocol/facts.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import type { Store } from "../session/store.ts";
import { testSession } from "../testing/session.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { noAddons } from "./addons/session-addons.ts";
import { openSession } from "./open-session.ts";
import { openSessions } from "./open-sessions.ts";
import type { SessionSetup } from "./session-setup.ts";

const user: Fact = { type: "user-message", content: [{ type: "text", text: "Read it." }] };
const turnStart: Fact = { type: "turn-start", model: "m", mode: "ask" };
const wholeAnswer: Fact = { type: "answer-end", reason: "tool-calls", model: "m" };

const call = (id: string, name: string, input: Record<string, string>): Fact => ({
  type: "call",
  call: { id, name, input, source: "native" },
});
const start = (callId: string, does: "read" | "execute"): Fact => ({
  type: "call-start",
  callId,
  title: "t",
  does,
});

/** A session that a crash has left with these facts. */
async function crashed(workspace: string, ...facts: Fact[]): Promise<Store> {
  const store = openMemoryStore();
  await store.create({ id: "s", workspace, createdAt: 1 });
  const first: Fact = { type: "session-start", session: "s", workspace, version: "1" };
  const entries = [first, user, turnStart, ...facts].map((fact, at): Entry => ({
    ...fact,
    v: factVersion,
    seq: at + 1,
    at: at + 1,
    turn: at === 0 ? 0 : 1,
  }));
  await store.append("s", await store.claim("s"), entries);
  return store;
}

test("a session killed in the middle of an answer of a free model costs nothing, and not an unknown amount", async () => {
  const workspace = await temporaryWorkspace({});
  const said: Fact = { type: "text", block: 1, text: "I will", by: "model" };
  const store = await crashed(workspace.root, said);
  const { session, close } = await testSession(scriptedModel([]), {
    store,
    workspace,
    resume: "s",
    pricing: (model, { usage }) => (model === "m" && usage === undefined ? 0 : undefined),
  });
  const { cost, unpriced } = session.state;
  expect({ cost, unpriced }).toEqual({ cost: 0, unpriced: 0 });
  await close();
  await workspace.remove();
});

test("after a crash the reads of a complete answer run again, and a command is not repeated", async () => {
  const workspace = await temporaryWorkspace({ "a.txt": "what it says" });
  const store = await crashed(
    workspace.root,
    call("r", "read_file", { path: "a.txt" }),
    call("x", "run_command", { command: "echo again >>ran" }),
    wholeAnswer,
    start("r", "read"),
    start("x", "execute"),
  );
  const { session, facts, close } = await testSession(scriptedModel([[{ say: "Done." }]]), {
    store,
    workspace,
    resume: "s",
  });
  await session.command({ type: "go-on" });
  await session.idle();
  const results = facts().flatMap((fact) => (fact.type === "result" ? [[fact.callId, fact.outcome]] : []));
  expect(results).toEqual([
    ["x", "interrupted"],
    ["r", "ok"],
  ]);
  const starts = facts().flatMap((fact) => (fact.type === "call-start" ? [fact.callId] : []));
  expect(starts).toEqual(["r", "x", "r"]);
  expect(JSON.stringify(facts())).toContain("what it says");
  expect(await workspace.files()).toEqual(["a.txt"]);
  expect(facts().at(-1)?.type).toBe("turn-end");
  await close();
  await workspace.remove();
});

test.each([
  ["was written", "new\n", "new\n", 1, "when all of it was written: a.txt"],
  ["was not written", "old\n", "old\n", 0, "before anything was written"],
  ["was changed by somebody else", "theirs\n", "theirs\n", 1, "a.txt may or may not be as it wanted"],
])(
  "after a crash a file change that %s is settled by the present content and never repeated",
  async (_, found, then, changed, words) => {
    const workspace = await temporaryWorkspace({ "a.txt": found });
    const hash = (text: string): string => sha256(Buffer.from(text));
    const change = { path: "a.txt", before: hash("old\n"), after: hash("new\n"), added: 1, removed: 1 };
    const store = await crashed(
      workspace.root,
      call("w", "write_file", { path: "a.txt", content: "new\n" }),
      wholeAnswer,
      { type: "call-start", callId: "w", title: "Write a.txt", does: "change", changes: [change] },
    );
    const { session, facts, close } = await testSession(scriptedModel([[{ say: "Done." }]]), {
      store,
      workspace,
      resume: "s",
    });
    await session.command({ type: "go-on" });
    await session.idle();
    const applied = facts().flatMap((fact) => (fact.type === "change-applied" ? [fact.changes.length] : []));
    const results = facts().flatMap((fact) => (fact.type === "result" ? [fact] : []));
    expect(applied).toEqual([changed]);
    expect(results).toMatchObject([{ callId: "w", outcome: "interrupted" }]);
    expect(JSON.stringify(results)).toContain(words);
    expect(await workspace.read("a.txt")).toBe(then);
    expect(facts().at(-1)).toMatchObject({ type: "turn-end", changed: changed ? ["a.txt"] : [] });
    await close();
    await workspace.remove();
  },
);

test("temporary files of a killed program are removed when the session is opened", async () => {
  const workspace = await temporaryWorkspace({ "a.txt": "new\n" });
  const left = temporaryName("a.txt");
  await writeFile(join(workspace.root, left), "half");
  const change = { path: "a.txt", before: null, after: "1", added: 1, removed: 0 };
  const store = await crashed(
    workspace.root,
    call("w", "write_file", { path: "a.txt", content: "new\n" }),
    wholeAnswer,
    { type: "call-start", callId: "w", title: "Write a.txt", does: "change", changes: [change] },
    { type: "change-applied", callId: "w", changes: [change] },
    { type: "result", callId: "w", outcome: "ok", content: [] },
  );
  const dead = { ...identityOf(process.ppid), started: "1" };
  await store.claim("s", { owner: { program: "a killed one", process: dead } });
  const { close } = await testSession(scriptedModel([]), { store, workspace, resume: "s" });
  expect(await workspace.files()).toEqual(["a.txt"]);
  await close();
  await workspace.remove();
});

const setupFor = (store: Store, workspace: string): SessionSetup => ({
  store,
  workspace,
  model: scriptedModel([]),
  tools: [],
  mode: "ask",
  rules: [],
  interactive: true,
});

test("a session held by another living process is refused with its holder, until it is taken over", async () => {
  const workspace = await temporaryWorkspace({});
  const store = await crashed(workspace.root);
  const setup = setupFor(store, workspace.root);
  const owner = { program: "another", process: identityOf(process.ppid) };
  const epoch = await store.claim("s", { owner });
  const refused = await openSession(setup, { resume: "s" });
  expect(refused).toMatchObject({
    ok: false,
    problem: expect.stringContaining(`(process ${process.ppid} on`),
  });
  await store.append("s", epoch, []);
  const taken = await openSession(setup, { resume: "s", takeOver: true });
  if (taken.ok) await taken.value.close();
  expect([taken.ok, await store.holder("s")]).toEqual([true, undefined]);
  await workspace.remove();
});

test("opening a session already open in this program returns the same object, closed by its last user", async () => {
  const workspace = await temporaryWorkspace({});
  const store = await crashed(workspace.root);
  const sessions = openSessions(setupFor(store, workspace.root));
  const opened = await Promise.all([1, 2, 3].map(() => sessions.open({ resume: "s" })));
  const [first, ...others] = opened.flatMap((one) => (one.ok ? [one.value] : []));
  expect(others).toHaveLength(2);
  for (const other of others) expect(other).toBe(first);
  await first?.close();
  await first?.close();
  expect(await first?.command({ type: "rename", title: "open" })).toEqual({ ok: true });
  const closing = first?.close();
  const again = await sessions.open({ resume: "s" }); // while it is being closed
  await closing;
  await first?.close(); // once too often
  expect(await first?.command({ type: "rename", title: "late" })).toMatchObject({ ok: false });
  if (!again.ok) throw new Error(again.problem);
  expect(again.value).not.toBe(first);
  expect(await again.value.command({ type: "rename", title: "again" })).toEqual({ ok: true });
  expect(await store.holder("s")).toBeDefined();
  await again.value.close();
  expect(await store.holder("s")).toBeUndefined();
  expect((await sessions.open({ resume: "nobody" })).ok).toBe(false);
  await workspace.remove();
});

test("a session whose close never ends delays its own reopening only", async () => {
  const workspace = await temporaryWorkspace({});
  const setup = setupFor(await crashed(workspace.root), workspace.root);
  const sessions = openSessions(setup);
  const addons = () => ({ ...noAddons, close: () => new Promise<never>(() => {}) });
  const first = await sessions.open({ resume: "s" }, { ...setup, addons });
  if (!first.ok) throw new Error(first.problem);
  void first.value.close();
  let isOpen = false;
  void sessions.open({ resume: "s" }).then(() => (isOpen = true));
  const other = await sessions.open({});
  if (!other.ok) throw new Error(other.problem);
  await other.value.close();
  expect(isOpen).toBe(false);
  await workspace.remove();
});
