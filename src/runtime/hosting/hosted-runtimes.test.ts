/** A gateway holds runtimes only for workspaces in use, or in use until recently. */

import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Expected } from "../../base/expected.ts";
import { scripted } from "../../providers/scripted.ts";
import { MemoryStore } from "../../session/memory/memory.ts";
import { type Config, loadConfig } from "../config/config.ts";
import { parseArguments } from "../options/arguments.ts";
import { HostedRuntimes } from "./hosted-runtimes.ts";

async function settingsIn(root: string, place: string): Promise<Expected<Config>> {
  const parsed = parseArguments(["--cwd", place, "--state-dir", join(root, "state")], {});
  if (!parsed.ok) return { ok: false, problem: parsed.problem };
  return loadConfig({ arguments: parsed.value, env: { HOME: root }, cwd: root });
}

async function stage({ restMs = 0, settingsFor = settingsIn } = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-runtimes-")));
  const [one, two] = [join(root, "one"), join(root, "two")];
  await mkdir(one);
  await mkdir(two);
  const read: string[] = [];
  const busy = new Set<string>();
  const runtimes = new HostedRuntimes({
    store: new MemoryStore(),
    settingsFor: (place) => {
      read.push(place);
      return settingsFor(root, place);
    },
    room: { env: {}, model: scripted([]), interactive: () => false },
    busy: () => busy,
    workspaceRestMs: restMs,
  });
  onTestFinished(async () => {
    await runtimes.close();
    await rm(root, { recursive: true, force: true });
  });
  const use = (place: string) =>
    runtimes.use(place, async (runtime) => ({ ok: true, value: runtime.workspace }));
  return { root, one, two, runtimes, busy, read, use };
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
