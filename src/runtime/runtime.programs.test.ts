import { chmod, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig, type Config } from "../configuration/config.ts";
import { parseArguments } from "../configuration/options/arguments.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import type { Store } from "../session/store.ts";
import { WrappedStore } from "../session/testing/wrapped-store.ts";
import type { LiveSession } from "./live-session.ts";
import { openStore, startRuntime, type EnvironmentVariables, type Runtime } from "./runtime.ts";

type Start = {
  answers?: readonly ScriptedAnswer[];
  env?: EnvironmentVariables;
  providers?: Config["providers"];
  work?: string;
  store?: Store;
  sandbox?: () => Promise<Sandbox>;
};

async function place(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "toolwright-runtime-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

async function start(root: string, how: Start = {}): Promise<Runtime> {
  const { answers = [], env = {}, providers = {}, work = "work", store, sandbox } = how;
  const parsed = parseArguments(["--cwd", join(root, work), "--state-dir", join(root, "state")], {});
  if (!parsed.ok) throw new Error(parsed.problem);
  const settings = await loadConfig({ arguments: parsed.value, env: { HOME: root }, cwd: root });
  if (!settings.ok) throw new Error(settings.problem);
  const model = scriptedModel(answers);
  const context = {
    env: { PATH: process.env["PATH"], ...env },
    interactive: true,
    model,
    ...(store ? { store } : {}),
    ...(sandbox ? { sandbox } : {}),
  };
  const started = await startRuntime({ ...settings.value, providers }, context);
  if (!started.ok) throw new Error(started.problem);
  onTestFinished(() => started.value.close());
  return started.value;
}

async function opened(runtime: Runtime, which: Parameters<Runtime["open"]>[0] = {}): Promise<LiveSession> {
  const session = await runtime.open(which);
  if (!session.ok) throw new Error(session.problem);
  return session.value;
}

test("a key never reaches a command, whatever its variable is called in the configuration", async () => {
  const runtime = await start(await place(), {
    answers: [[{ call: "run_command", with: { command: 'echo "[$BOX_SECRET][$PLAIN]"' } }], [{ say: "ok" }]],
    env: { BOX_SECRET: "canary", PLAIN: "seen" },
    providers: { box: { baseUrl: "http://127.0.0.1:1/v1", keyVariable: "BOX_SECRET" } },
  });
  const session = await opened(runtime);
  await session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await session.idle();
  const asked = [...session.state.calls.keys()][0] ?? "";
  await session.command({
    type: "answer-approval",
    callId: asked,
    answer: "allow",
    scope: "once",
    by: "test",
  });
  await session.idle();
  const result = session.log.entries.find(({ type }) => type === "result");
  expect(JSON.stringify(result)).toContain("[][seen]");
  expect(JSON.stringify(session.log.entries)).not.toContain("canary");
});

test("E1: the workspace is created, and its sessions are resumed with --continue or by the end of their id", async () => {
  const root = await place();
  const runtime = await start(root);
  expect(runtime.workspace.endsWith("/work")).toBe(true);
  expect(await runtime.open({ continue: true })).toMatchObject({ ok: false });
  const first = await opened(runtime);
  expect((await opened(runtime, { continue: true })).id).toBe(first.id);
  expect((await opened(runtime, { resume: first.id.slice(-6) })).id).toBe(first.id);
  const { store, workspace } = runtime;
  const createdAt = Date.now() + 60_000;
  await store.create({ id: "a-subagent-s", workspace, createdAt, parent: first.id });
  expect((await opened(runtime, { continue: true })).id).toBe(first.id);
  expect(await runtime.open({ resume: "nowhere" })).toEqual({
    ok: false,
    problem: "There is no session nowhere. `toolwright sessions` lists those that are kept here.",
  });
});

test("--continue goes on where something was said, not with a session that was only opened since", async () => {
  const runtime = await start(await place());
  const said = await opened(runtime);
  await said.command({ type: "send", content: [{ type: "text", text: "Hello" }] });
  await said.idle();
  await said.close();
  const { store, workspace } = runtime;
  await store.create({ id: "only-opened", workspace, createdAt: Date.now() + 60_000 });
  expect((await opened(runtime, { continue: true })).id).toBe(said.id);
});

test("a session of a chosen id that another program starts at the same moment is continued", async () => {
  class RacedStore extends WrappedStore {
    override async get(id: string) {
      const found = await super.get(id);
      if (!found) await this.create({ id, workspace: join(root, "work"), createdAt: 1 });
      return found;
    }
  }
  const root = await realpath(await place());
  const runtime = await start(root, { store: new RacedStore() });
  expect((await opened(runtime, { id: "build-42" })).id).toBe("build-42");
});

test("the command that goes on in another workspace is one that a shell runs as it stands", async () => {
  const root = await realpath(await place());
  const { id } = await opened(await start(root, { work: "it's $(touch it)" }));
  const other = await start(root, { work: "other" });
  expect(await other.open({ resume: id })).toEqual({
    ok: false,
    problem: expect.stringContaining(`toolwright -C '${root}/it'\\''s $(touch it)' --resume ${id.slice(-6)}`),
  });
});

test("an id suffix shared by several sessions is refused with their ids", async () => {
  const runtime = await start(await place());
  const created = { workspace: runtime.workspace, createdAt: 1 };
  await runtime.store.create({ id: "one-abc", ...created });
  await runtime.store.create({ id: "two-abc", ...created });
  const session = await runtime.open({ resume: "abc" });
  expect(session.ok ? "" : session.problem).toMatch(/^Several sessions end with abc\. .*one-abc.*$/u);
  for (const name of ["three", "four", "five", "six", "seven"])
    await runtime.store.create({ id: `${name}-abc`, ...created });
  const another = await runtime.open({ resume: "abc" });
  expect(another.ok ? "" : another.problem).toMatch(/(?:\w+-abc, ){4}\w+-abc and 2 more\.$/u);
});

class CountingStore extends WrappedStore {
  closed = 0;
  override async close(): Promise<void> {
    this.closed += 1;
  }
}

test("runtimes of several workspaces share a store, which stays open when they are closed", async () => {
  const root = await place();
  const store = new CountingStore();
  const runtimes = [await start(root, { work: "one", store }), await start(root, { work: "two", store })];
  const [one, two] = runtimes;
  if (!one || !two) throw new Error("no runtime");
  const first = await opened(one, { mode: "plan", model: "offline/orders" });
  await first.close();
  expect(await two.open({ resume: first.id })).toMatchObject({
    ok: false,
    problem: expect.stringContaining("is of the workspace"),
  });
  const second = await opened(two);
  expect((await store.list()).map(({ workspace }) => workspace).toSorted()).toEqual(
    [one.workspace, two.workspace].toSorted(),
  );
  await one.close();
  await second.close();
  await two.close();
  expect(store.closed).toBe(0);
});

test("a session is created, resumed and forked with its own mode and model", async () => {
  const runtime = await start(await place());
  const first = await opened(runtime, { mode: "plan", model: "offline/orders" });
  expect([first.mode, first.model.name]).toEqual(["plan", "offline/orders"]);
  const shared = await opened(runtime, { resume: first.id, mode: "staged", by: "page" });
  expect([shared === first, first.mode]).toEqual([true, "staged"]);
  expect(await runtime.open({ resume: first.id, model: "nowhere/x" })).toMatchObject({ ok: false });
  expect(first.isOpen).toBe(true);
  await first.command({ type: "send", content: [{ type: "text", text: "list" }] });
  await first.idle();
  const forked = await runtime.fork(first.id, undefined, { settings: "kept" });
  if (!forked.ok) throw new Error(forked.problem);
  expect([forked.value.mode, forked.value.model.name]).toEqual(["staged", "offline/orders"]);
  await forked.value.close();
  await shared.close();
  expect(first.isOpen).toBe(true);
  await first.close();
  const own = await opened(runtime, { resume: first.id });
  expect([own.mode, own.model.name]).toEqual(["ask", "scripted/model"]);
});

test("a state directory writable by others is refused", async () => {
  const root = await place();
  await mkdir(join(root, "state"));
  await chmod(join(root, "state"), 0o777);
  const opening = await openStore({ stateDir: join(root, "state") });
  expect(opening).toMatchObject({ ok: false, problem: expect.stringContaining("chmod 700") });
  await chmod(join(root, "state"), 0o755);
  const opened = await openStore({ stateDir: join(root, "state") });
  expect(opened.ok).toBe(true);
  if (opened.ok) await opened.value.close();
});

test("closing waits for the trials of the sandbox that were begun", async () => {
  const trial = Promise.withResolvers<Sandbox>();
  const runtime = await start(await place(), { sandbox: () => trial.promise });
  const told: string[] = [];
  const tried = runtime
    .sandbox()
    .then(() => runtime.overlays())
    .then(() => told.push("tried"));
  const closed = runtime.close().then(() => told.push("closed"));
  setImmediate(() => trial.resolve({ kind: "none", because: "of a test" }));
  await Promise.all([tried, closed]);
  expect(told).toEqual(["tried", "closed"]);
});
