/** The user's file for one workspace: nearer than theirs for all, further than what is said for a run. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { configFileOf } from "./config-places.ts";
import { loadConfig } from "./config.ts";
import { parseArguments } from "./options/arguments.ts";

async function place(files: { user?: string; local?: string; project?: string }) {
  const root = await mkdtemp(join(tmpdir(), "toolwright-layers-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const directories = { configDir: join(root, ".config", "toolwright"), workspace: join(root, "work") };
  await mkdir(directories.workspace);
  const paths = {
    user: await configFileOf("user", directories),
    local: await configFileOf("local", directories),
    project: await configFileOf("project", directories),
  };
  for (const scope of ["user", "local", "project"] as const) {
    const text = files[scope];
    if (text === undefined) continue;
    await mkdir(dirname(paths[scope]), { recursive: true });
    await writeFile(paths[scope], text);
  }
  const load = (argv: string[] = [], variables: Record<string, string> = {}) => {
    const env = { HOME: root, ...variables };
    const parsed = parseArguments(argv, env);
    if (!parsed.ok) throw new Error(parsed.problem);
    return loadConfig({ arguments: parsed.value, env, cwd: directories.workspace });
  };
  return { load, paths };
}

test("it goes before the user's file, and variables, flags and a stricter workspace before it", async () => {
  const { load } = await place({
    user: '{ "model": "u/u", "mode": "ask", "maxRounds": 1 }',
    local: '{ "model": "l/l", "mode": "accept-edits", "maxCost": 2 }',
    project: '{ "mode": "plan" }',
  });
  expect(await load()).toMatchObject({
    value: { model: "l/l", mode: "plan", maxRounds: 1, maxCost: 2, warnings: [] },
  });
  expect(await load(["--max-cost", "3"], { TOOLWRIGHT_MODEL: "e/e" })).toMatchObject({
    value: { model: "e/e", maxCost: 3 },
  });
});

test("rules of both files hold, and of the edits that they approve the nearer one counts", async () => {
  const { load } = await place({
    user: '{ "rules": [{ "tool": "*", "decision": "ask" }], "autoApproveEdits": { "a": false, "b": true } }',
    local: '{ "rules": [{ "tool": "x", "decision": "allow" }], "autoApproveEdits": { "a": true } }',
  });
  const config = await load();
  if (!config.ok) throw new Error(config.problem);
  expect(config.value.rules).toEqual([
    { name: "user", rules: [{ tool: "*", decision: "ask" }] },
    { name: "local", rules: [{ tool: "x", decision: "allow" }] },
  ]);
  expect(Object.entries(config.value.autoApproveEdits[0])).toEqual([
    ["b", true],
    ["a", true],
  ]);
});

test("what is the user's everywhere is ignored in it with a warning", async () => {
  const { load, paths } = await place({
    local: '{ "providers": { "x": { "key": "k" } }, "hooks": [], "programs": [], "modle": 1 }',
  });
  const config = await load();
  expect(config).toMatchObject({ value: { providers: {}, addons: { user: {} } } });
  if (!config.ok) return;
  expect(config.value.warnings).toEqual([
    `${paths.local}: there is no option "modle" (did you mean "model"?); it is ignored`,
    ...["providers", "programs", "hooks"].map(
      (key) => `${paths.local}: "${key}" is for your own file, not for one of a workspace; it is ignored`,
    ),
  ]);
});

test("a mistake in it stops the start with its line, as in the user's own", async () => {
  const { load, paths } = await place({ local: '{\n  "mode": "aks"\n}' });
  expect(await load()).toEqual({
    ok: false,
    problem: expect.stringMatching(`^${paths.local}:2: "mode" must be one of `),
  });
});

test("a workspace cannot bring one along", async () => {
  const { load, paths } = await place({ project: "{}" });
  await writeFile(join(dirname(paths.project), "config.local.jsonc"), '{ "model": "evil/one" }');
  await mkdir(join(dirname(paths.project), "workspaces"));
  expect(await load()).toMatchObject({ value: { model: undefined, warnings: [] } });
});
