/** A gateway holds runtimes only for workspaces in use, or in use until recently. */

import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Expected } from "../base/expected.ts";
import { type Config, loadConfig } from "../configuration/config.ts";
import { parseArguments } from "../configuration/options/arguments.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import type { Store } from "../session/store.ts";
import { serveModel } from "../testing/scripted-server.ts";
import { HostedRuntimes } from "./hosted-runtimes.ts";

async function settingsIn(root: string, place: string): Promise<Expected<Config>> {
  const parsed = parseArguments(["--cwd", place, "--state-dir", join(root, "state")], {});
  if (!parsed.ok) return { ok: false, problem: parsed.problem };
  return loadConfig({ arguments: parsed.value, env: { HOME: root }, cwd: root });
}

type RuntimeSurroundings = ConstructorParameters<typeof HostedRuntimes>[0]["context"];

async function stage({
  restMs = 0,
  settingsFor = settingsIn,
  models = { env: {}, model: scriptedModel([]) },
  store = openMemoryStore(),
}: {
  restMs?: number;
  settingsFor?: typeof settingsIn;
  models?: Pick<RuntimeSurroundings, "env" | "model">;
  store?: Store;
} = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-runtimes-")));
  const [one, two] = [join(root, "one"), join(root, "two")];
  await mkdir(one);
  await mkdir(two);
  const read: string[] = [];
  const busy = new Set<string>();
  const runtimes = new HostedRuntimes({
    store,
    settingsFor: (place) => {
      read.push(place);
      return settingsFor(root, place);
    },
    context: { ...models, interactive: () => false },
    busy: () => busy,
    workspaceRestMs: restMs,
  });
  onTestFinished(async () => {
    await runtimes.close();
    await rm(root, { recursive: true, force: true });
  });
  const use = (place: string) =>
    runtimes.use(place, async (runtime) => ({ ok: true, value: runtime.workspace }));
  return { root, one, two, runtimes, busy, read, use, store };
}

test("an unused workspace is released, and its settings are read anew on the next use", async () => {
  const { one, runtimes, read, use } = await stage();
  expect(await use(one)).toEqual({ ok: true, value: one });
  await expect.poll(() => runtimes.size).toBe(0);
  expect(await use(one)).toEqual({ ok: true, value: one });
  expect(read).toEqual([one, one]);
});

test("a workspace with open sessions or running work is not released", async () => {
  const { one, two, runtimes, busy, read, use } = await stage();
  busy.add(one);
  await use(one);
  const gate = Promise.withResolvers<void>();
  const working = runtimes.use(two, async (runtime) => {
    await gate.promise;
    return { ok: true, value: runtime.workspace };
  });
  const other = join(one, "..", "three");
  await mkdir(other);
  await use(other);
  await expect.poll(() => runtimes.size).toBe(2); // the check has run: the third one is released
  await use(one);
  expect(read.filter((place) => place === one)).toEqual([one]);
  gate.resolve();
  expect(await working).toEqual({ ok: true, value: two });
  busy.clear();
  await expect.poll(() => runtimes.size).toBe(0);
});

test("concurrent uses start a workspace once, and a failed start is tried again", async () => {
  let isBroken = true;
  const { one, runtimes, read, use } = await stage({
    restMs: 600_000,
    settingsFor: async (root, place) =>
      isBroken ? { ok: false, problem: "No such setting." } : settingsIn(root, place),
  });
  const broken = { ok: false, problem: "No such setting." };
  expect(await Promise.all([use(one), use(one)])).toEqual([broken, broken]);
  expect(runtimes.size).toBe(0);
  [isBroken, read.length] = [false, 0];
  const fine = { ok: true, value: one };
  expect(await Promise.all([use(one), use(one), use(one)])).toEqual([fine, fine, fine]);
  expect(read).toEqual([one]);
});

/** Local ports where nothing answers, so that what runs on this machine changes no test. */
const nobody = {
  OLLAMA_HOST: "http://127.0.0.1:1",
  LMSTUDIO_BASE_URL: "http://127.0.0.1:1",
  LLAMACPP_BASE_URL: "http://127.0.0.1:1",
  VLLM_BASE_URL: "http://127.0.0.1:1",
  SGLANG_BASE_URL: "http://127.0.0.1:1",
};

const opening = (runtimes: HostedRuntimes, place: string, which: { model?: string; resume?: string }) =>
  runtimes.use(place, async (runtime) => {
    const opened = await runtime.open({ ...which, settings: "kept" });
    if (!opened.ok) return opened;
    const { id, model } = opened.value;
    await opened.value.close();
    return { ok: true, value: { id, model: model.name } };
  });

const tiny = async () => {
  const served = await serveModel(scriptedModel([], { name: "tiny" }), { capabilities: ["completion"] });
  onTestFinished(() => served.close());
  return served.url;
};

test("a session that brings its model needs none of the settings; one without takes the only one, or is told which there are", async () => {
  const env: Record<string, string> = { ...nobody, OPENAI_COMPATIBLE_BASE_URL: `${await tiny()}/v1` };
  const { one, runtimes } = await stage({ models: { env } });
  expect(await opening(runtimes, one, {})).toMatchObject({
    ok: true,
    value: { model: "openai-compatible/tiny" },
  });
  env["VLLM_BASE_URL"] = `${await tiny()}/v1`;
  expect(await opening(runtimes, one, {})).toEqual({
    ok: false,
    problem:
      'No model is chosen. There are vllm/tiny, openai-compatible/tiny: choose one, such as vllm/tiny, with the option "model".',
  });
  const opened = await opening(runtimes, one, { model: "openai-compatible/tiny" });
  expect(opened).toMatchObject({ ok: true, value: { model: "openai-compatible/tiny" } });
  expect(await opening(runtimes, one, { resume: opened.ok ? opened.value.id : "" })).toEqual(opened);
});

test("without any model a new session is refused until there is one; an older one opens, and its request says why it fails", async () => {
  const env: Record<string, string> = { ...nobody };
  const { one, runtimes, store } = await stage({ models: { env } });
  expect(await opening(runtimes, one, {})).toMatchObject({
    ok: false,
    problem: expect.stringContaining("No model found"),
  });
  env["OLLAMA_HOST"] = await tiny();
  const opened = await opening(runtimes, one, {});
  expect(opened).toMatchObject({ ok: true, value: { model: "ollama/tiny" } });
  const id = opened.ok ? opened.value.id : "";
  const later = await stage({ models: { env: nobody }, store });
  const ended = await later.runtimes.use(one, async (runtime) => {
    const resumed = await runtime.open({ resume: id, settings: "kept" });
    if (!resumed.ok) return resumed;
    const session = resumed.value;
    await session.command({ type: "send", content: [{ type: "text", text: "hi" }] });
    await session.idle();
    await session.close();
    return { ok: true, value: session.log.entries.at(-1) };
  });
  expect(ended).toMatchObject({
    ok: true,
    value: { type: "turn-end", stopped: "failed", because: expect.stringContaining("No model found") },
  });
});
