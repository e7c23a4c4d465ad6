/** The file of kept keys: only its owner's, whole, and kept out of sessions and away from tools. */

import { chmod, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { configuredKeys, knownSecrets, redactorFor } from "../runtime/observing/known-secrets.ts";
import { objectionsIn } from "../runtime/reading.ts";
import { loadConfig } from "./config.ts";
import { changeKeptKeys, keptKeysFile, readKeptKeys } from "./kept-keys.ts";

async function place(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "toolwright-keys-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return join(home, "elsewhere");
}

test("what is written is read again, belongs to its owner alone, and leaves nothing else behind", async () => {
  const stateDir = await place();
  expect(readKeptKeys(stateDir)).toEqual({ ok: true, value: {} });
  const keys = { openai: "sk-one", "my-box": "two" };
  expect(await changeKeptKeys(stateDir, () => keys)).toEqual({ ok: true, value: {} });
  expect(readKeptKeys(stateDir)).toEqual({ ok: true, value: keys });
  expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
  expect((await stat(keptKeysFile(stateDir))).mode & 0o777).toBe(0o600);
  expect(await readdir(stateDir)).toEqual(["credentials.json"]);
  expect(await changeKeptKeys(stateDir, () => ({}))).toEqual({ ok: true, value: keys });
  expect(await readdir(stateDir)).toEqual([]);
});

test("changes at the same time all hold", async () => {
  const stateDir = await place();
  const names = Array.from({ length: 20 }, (_, at) => `box-${at}`);
  const keys = Object.fromEntries(names.map((name) => [name, `key of ${name}`]));
  await Promise.all(
    names.map((name) => changeKeptKeys(stateDir, (others) => ({ ...others, [name]: `key of ${name}` }))),
  );
  expect(readKeptKeys(stateDir)).toEqual({ ok: true, value: keys });
});

test("a file that others can read, that is a link, or that is damaged is neither used nor replaced", async () => {
  const stateDir = await place();
  const path = keptKeysFile(stateDir);
  await changeKeptKeys(stateDir, () => ({ openai: "sk-one" }));
  const problem = (): string => {
    const read = readKeptKeys(stateDir);
    return read.ok ? "" : read.problem;
  };
  await chmod(path, 0o640);
  expect(problem()).toContain(`others can read or change it: chmod 600 ${path}`);
  expect(await changeKeptKeys(stateDir, () => ({}))).toEqual({ ok: false, problem: problem() });
  await rm(path);
  await writeFile(`${path}.other`, '{"keys":{"openai":"sk-two"}}', { mode: 0o600 });
  await symlink(`${path}.other`, path);
  expect(problem()).toContain("it is a link: remove it");
  await rm(path);
  for (const text of ["", "{", '{"keys":[]}', '{"keys":{"openai":3}}', "x".repeat(70_000)]) {
    await writeFile(path, text, { mode: 0o600 });
    expect(problem()).toMatch(/it is (damaged|too large): remove it and log in again/u);
  }
});

test("kept keys are secrets of logs and sessions, a tool does not read their file, and a refused file is a warning", async () => {
  const stateDir = await place();
  const workspace = join(stateDir, "..", "work");
  const key = "sk-canary-0123456789";
  await changeKeptKeys(stateDir, () => ({ openai: key }));
  const given = { command: "doctor", flags: { cwd: workspace, stateDir }, environment: {} } as const;
  const load = async () => {
    const config = await loadConfig({ arguments: given, env: { HOME: workspace }, cwd: workspace });
    if (!config.ok) throw new Error(config.problem);
    return config.value;
  };
  const config = await load();
  expect(config.warnings).toEqual([]);
  expect(configuredKeys(config, {})).toContain(key);
  expect(knownSecrets(config, {})).not.toContain("openai");
  expect(redactorFor(config, {})(`the ${key}`)).not.toContain("canary");
  const objection = objectionsIn(config, { workspace, home: workspace })(keptKeysFile(stateDir));
  expect(objection).toMatchObject({ isSecret: true });
  await chmod(keptKeysFile(stateDir), 0o644);
  expect((await load()).warnings).toEqual([expect.stringContaining("others can read or change it")]);
});
