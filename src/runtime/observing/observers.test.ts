/** Observers of a run: none unless requested; one that is unavailable gives a single warning. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Config } from "../../configuration/config.ts";
import { loadConfig } from "../../configuration/config.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { openMemoryStore } from "../../session/sqlite/memory-store.ts";
import { startRuntime } from "../runtime.ts";
import { openObservers } from "./observers.ts";

async function settingsWith(flags: Record<string, string>): Promise<{ settings: Config; home: string }> {
  const home = await mkdtemp(join(tmpdir(), "toolwright-observers-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const given = { command: "chat", flags: { cwd: join(home, "work"), ...flags }, environment: {} } as const;
  const config = await loadConfig({ arguments: given, env: { HOME: home }, cwd: home });
  if (!config.ok) throw new Error(config.problem);
  return { settings: config.value, home };
}

test("without settings there are no observers", async () => {
  const { settings } = await settingsWith({});
  expect(await openObservers(settings, {})).toEqual({ ok: true, value: { all: [], warnings: [] } });
});

test("paths are relative to where the program was started, ~ is home, and a bare word is a package", async () => {
  const { settings, home } = await settingsWith({ log: "run.log", telemetry: "~/otel.mjs" });
  expect([settings.log, settings.telemetry]).toEqual([join(home, "run.log"), join(home, "otel.mjs")]);
  expect((await settingsWith({ telemetry: "@acme/otel" })).settings.telemetry).toBe("@acme/otel");
});

test("unavailable telemetry is a warning of the runtime, and the session still runs and is logged", async () => {
  const { settings, home } = await settingsWith({ log: "run.log", telemetry: "./none.mjs" });
  const model = scriptedModel([[{ say: "Hello." }]]);
  const context = { env: { HOME: home }, interactive: false, model, store: openMemoryStore() };
  const runtime = await startRuntime(settings, context);
  if (!runtime.ok) throw new Error(runtime.problem);
  expect(runtime.value.warnings.filter((line) => line.startsWith("There is no telemetry"))).toHaveLength(1);
  const session = await runtime.value.open({});
  if (!session.ok) throw new Error(session.problem);
  await session.value.command({ type: "send", content: [{ type: "text", text: "Hello?" }] });
  await session.value.idle();
  await session.value.close();
  await runtime.value.close();
  expect(await readFile(join(home, "run.log"), "utf8")).toMatch(
    /"what":"turn-end"[^\n]*\n.*"session-closed"/u,
  );
});
