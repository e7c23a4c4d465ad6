/** `toolwright config`: what each setting is, where it is from, and setting it in one of three files. */

import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testTerminal } from "../tui/testing/terminal.ts";
import { runCli } from "./main.ts";

async function place(files: { user?: string; project?: string } = {}) {
  const home = await mkdtemp(join(tmpdir(), "toolwright-config-command-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const work = join(home, "work");
  const user = join(home, ".config", "toolwright", "config.jsonc");
  const project = join(work, ".toolwright", "config.jsonc");
  await mkdir(work);
  for (const [path, text] of [
    [user, files.user],
    [project, files.project],
  ] as const) {
    if (text === undefined) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const run = async (argv: string[], env: Record<string, string> = {}, cwd = work) => {
    const terminal = testTerminal({ env: { HOME: home, PATH: process.env["PATH"] ?? "", ...env }, cwd });
    const code = await runCli(["config", ...argv], terminal);
    return { code, out: terminal.printed(), err: terminal.reported() };
  };
  const local = (await run(["path", "--local"])).out.trim();
  return { run, home, work, user, project, local, read: (path: string) => readFile(path, "utf8") };
}

test("without a word it shows what is not default, with the place that counts, and folds the rest", async () => {
  const { run, user, project, local } = await place({
    user: '{ "model": "ollama/qwen3", "mode": "accept-edits", "onLimit": "stop", "registries": ["npm.example.org"] }',
    project: '{ "mode": "ask", "rules": [{ "tool": "*", "decision": "ask" }] }',
  });
  await run(["set", "maxCost", "2", "--local"]);
  const shown = await run(["--max-rounds", "7"], { TOOLWRIGHT_MODEL: "a/b" });
  expect([shown.code, shown.err]).toEqual([0, ""]);
  expect(shown.out.split("\n")).toEqual([
    "model       a/b      TOOLWRIGHT_MODEL",
    "mode        ask      the workspace's file",
    "maxRounds   7        --max-rounds",
    "maxCost     2        your file for this workspace",
    "onLimit     stop     your file",
    "rules       1 entry  the workspace's file",
    "registries  1 entry  your file",
    `the workspace's file: ${project}`,
    `your file for this workspace: ${local}`,
    `your file: ${user}`,
    "18 more have their defaults: toolwright config all",
    "",
  ]);
  const all = await run(["all", "--output", "json"]);
  const { settings }: { settings: { key: string; from: string }[] } = JSON.parse(all.out);
  expect(settings.find(({ key }) => key === "dialect")).toEqual({
    key: "dialect",
    value: "auto",
    from: "default",
  });
  expect(settings.find(({ key }) => key === "onLimit")).toEqual({
    key: "onLimit",
    value: "stop",
    from: "user",
    where: user,
  });
});

test("what a workspace may not set is told, and not listed as if it held", async () => {
  const { run } = await place({
    project: '{ "providers": { "box": { "baseUrl": "http://192.0.2.1" } }, "hooks": [] }',
  });
  const told = await run(["--output", "json"]);
  expect(JSON.parse(told.out).settings.map(({ key }: { key: string }) => key)).toEqual(["hooks"]);
  expect(JSON.parse(told.out).warnings).toEqual([
    expect.stringContaining('a workspace may not set "providers"; it is ignored'),
  ]);
});

test("with nothing set it says how to see and to change the settings", async () => {
  const { run } = await place();
  expect(await run([])).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^Everything has its default: toolwright config all .* config set KEY VALUE changes one\.\n$/u,
    ),
  });
});

test("set keeps comments, get and the next run read it, unset takes it away again", async () => {
  const before = '// mine\n{\n  "mode": "ask", // careful\n}\n';
  const { run, user, read } = await place({ user: before });
  expect(await run(["set", "retryFor", "90s"])).toEqual({
    code: 0,
    out: `retryFor is set in ${user}.\n`,
    err: "",
  });
  expect(await read(user)).toBe('// mine\n{\n  "mode": "ask", // careful\n  "retryFor": "90s",\n}\n');
  expect((await run(["get", "retryFor"])).out).toBe("90s\n");
  expect((await run(["set", "autoApproveEdits.'docs/**'", "true"])).code).toBe(0);
  expect((await run(["get", "autoApproveEdits"])).out).toBe('{\n  "docs/**": true\n}\n');
  expect((await run(["unset", "autoApproveEdits"])).code).toBe(0);
  expect((await run(["unset", "retryFor"])).code).toBe(0);
  expect(await read(user)).toBe(before);
  expect(await run(["unset", "retryFor"])).toEqual({
    code: 2,
    out: "",
    err: `toolwright: retryFor is not set in ${user}.\n`,
  });
});

test("a new file is for its owner alone, and keys in it are never shown", async () => {
  const { run, user } = await place();
  const key = "sk-canary-1234567890-abcdef";
  await run(["set", "providers.work.key", key]);
  expect((await stat(user)).mode & 0o777).toBe(0o600);
  for (const argv of [["get", "providers"], ["get", "providers.work.key"], [], ["all", "--output", "json"]]) {
    const { code, out } = await run(argv);
    expect([argv, code, out.includes("canary")]).toEqual([argv, 0, false]);
  }
});

test.each([
  [["set", "modle", "x"], /There is no key "modle" in the configuration \(did you mean "model"\?\)/u],
  [["set", "mode", "pln"], /"mode" must be one of .* \(did you mean "plan"\?\)/u],
  [["set", "maxRounds", "0"], /"maxRounds" must be a whole number from 1 to 100000/u],
  [["set", "providers.work.url", "http://x"], /"providers.work" has no "url"/u],
  [["set", "rules", '[{ "tool": "*" }]'], /"rules.0.decision" must be one of allow, ask, deny/u],
  [["set", "model.name", "x"], /"model" is a single value/u],
  [["set", "registries", "npm.example.org"], /"registries" must be a list in brackets/u],
  [["set", "__proto__.x", "1"], /There is no key "__proto__"/u],
  [["set", "model", "nope/x"], /There is no provider named "nope"/u],
  [["set", "dialect", "hermse"], /There is no dialect "hermse" \(did you mean "hermes"\?\)/u],
  [["set", "keys", '{ "nonsense": "ctrl+x" }'], /"keys": there is no action "nonsense"/u],
  [["set", "keys.interupt", "ctrl+x"], /there is no action "interupt" \(did you mean "interrupt"\?\)/u],
  [["set", "keys.send", "hyper+x"], /"keys": "send": /u],
  [["set", "keys.send", "[]"], /"keys": "send" has no key left/u],
  [["set", "keys", "[1]"], /"keys" must be/u],
  [["set", "model"], /It is: toolwright config set KEY VALUE/u],
  [["get"], /It is: toolwright config get KEY/u],
  [["frob"], /There is no toolwright config frob/u],
  [["sett", "a", "b"], /did you mean "set"/u],
  [["set", "mode", "plan", "--project", "--local"], /give one of them/u],
  [["all", "--local"], /--local is for toolwright config get, set, unset and path/u],
  [["set", "model", "ollama/b", "--project"], /a workspace may not set "model"/u],
  [["set", "mode", "auto", "--project"], /a workspace may not loosen "mode" to auto/u],
  [
    ["set", "rules", '[{ "tool": "*", "decision": "allow" }]', "--project"],
    /may not have "rules" that allow/u,
  ],
  [["set", "providers.x.key", "k", "--local"], /"providers" is for your own file/u],
])("%j is refused in one line, and nothing is written", async (argv, problem) => {
  const { run, user, project, local } = await place();
  const ended = await run(argv);
  expect(ended).toMatchObject({ code: 2, out: "", err: expect.stringMatching(problem) });
  expect(ended.err.trimEnd().split("\n")).toHaveLength(1);
  for (const path of [user, project, local]) await expect(stat(path)).rejects.toThrow("ENOENT");
});

test("a workspace's file may be made stricter, also while it has mistakes elsewhere", async () => {
  const { run, project, read } = await place({ project: '{ "model": "a/b" }' });
  expect((await run(["set", "mode", "plan", "--project"])).code).toBe(0);
  expect(await read(project)).toBe('{ "model": "a/b", "mode": "plan" }');
  expect((await run(["get", "mode"])).out).toBe("plan\n");
  expect((await run(["get", "mode", "--local"])).code).toBe(1);
});

test("the local file counts in its workspace alone, under whatever path that is reached", async () => {
  const { run, home, work, local } = await place();
  await run(["set", "mode", "plan", "--local"]);
  await symlink(work, join(home, "link"));
  expect((await run(["get", "mode"], {}, join(home, "link"))).out).toBe("plan\n");
  expect((await run(["get", "mode"], {}, home)).out).toBe("ask\n");
  expect(local.startsWith(join(home, ".config", "toolwright", "workspaces", "work-"))).toBe(true);
});

test("what goes before the value that was set is told", async () => {
  const { run } = await place();
  expect((await run(["set", "model", "ollama/d"], { TOOLWRIGHT_MODEL: "a/b" })).out).toContain(
    "What holds here is from elsewhere: TOOLWRIGHT_MODEL.\n",
  );
});

test("a value that stops every start can be mended, and a file that is no JSON is left alone", async () => {
  const { run, user, read } = await place({ user: '{ "mode": "aks" }' });
  expect((await run([])).code).toBe(2);
  expect((await run(["set", "mode", "ask"])).code).toBe(0);
  expect(await read(user)).toBe('{ "mode": "ask" }');
  for (const broken of ['{ "mode": ', "[".repeat(100_000), "[1]", `{ "a": ${'{"b":'.repeat(50_000)}`]) {
    await writeFile(user, broken);
    const ended = await run(["set", "mode", "plan"]);
    expect([ended.code, ended.err.split("\n").length]).toEqual([2, 2]);
    expect(await read(user)).toBe(broken);
  }
});

test("several mistakes are mended one by one, and what is still wrong is told", async () => {
  const { run, user, read } = await place({ user: '{ "mode": "aks", "maxCost": "much", "keys": 1 }' });
  const first = await run(["set", "mode", "ask"]);
  expect([first.code, first.out.split("\n")[1]]).toEqual([
    0,
    `! ${user}:1: "maxCost" must be a number from 0.01 to 100000, not "much"`,
  ]);
  expect((await run(["unset", "maxCost"])).code).toBe(0);
  expect(await run(["set", "keys", "2"])).toMatchObject({ code: 2, out: "" });
  expect((await run(["unset", "keys"])).out).not.toContain("!");
  expect(await read(user)).toMatch(/^\{ "mode": "ask",\s*\}$/u);
});

test("the line of a mistake is that of the file as it is", async () => {
  const { run, user } = await place({ user: "{\n" });
  expect((await run(["set", "mode", "plan"])).err).toContain(`${user}:2: not valid JSON`);
  const list = await place({ user: "[]" });
  expect((await list.run(["set", "mode", "plan"])).err).toContain("the file must be one object in braces");
});

test("a log that cannot be written stops neither looking at the settings nor mending them", async () => {
  const { run, home } = await place({ user: '{ "log": "/nowhere/at/all.log" }' });
  expect((await run([])).out).toContain("/nowhere/at/all.log");
  expect(await run(["set", "log", join(home, "a.log")])).toMatchObject({ code: 0, err: "" });
});

test("one's own file may be a link; a workspace's may not, nor a file that nobody may write", async () => {
  const { run, home, user, project, read } = await place();
  const kept = join(home, "dotfiles.jsonc");
  await writeFile(kept, "{}");
  await mkdir(dirname(user), { recursive: true });
  await symlink(kept, user);
  expect((await run(["set", "mode", "plan"])).code).toBe(0);
  expect(await read(kept)).toBe('{\n  "mode": "plan"\n}');
  await mkdir(dirname(project));
  await symlink(kept, project);
  expect(await run(["set", "mode", "deny", "--project"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("link"),
  });
  await chmod(kept, 0o400);
  expect(await run(["set", "mode", "ask"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("read-only"),
  });
});

test("two at once both hold", async () => {
  const { run, user, read } = await place();
  await Promise.all([
    run(["set", "mode", "plan"]),
    run(["set", "model", "ollama/b"]),
    run(["set", "maxCost", "1"]),
  ]);
  expect(JSON.parse(await read(user))).toEqual({ mode: "plan", model: "ollama/b", maxCost: 1 });
});

test("schema prints what an editor checks such a file with, and path where it is", async () => {
  const { run, user } = await place();
  const { properties }: { properties: Record<string, unknown> } = JSON.parse((await run(["schema"])).out);
  expect(properties).toMatchObject({
    mode: { enum: expect.arrayContaining(["ask"]) },
    rules: { type: "array" },
  });
  expect((await run(["path"])).out).toBe(`${user}\n`);
  expect(JSON.parse((await run(["path", "--output", "json"])).out)).toEqual({ scope: "user", path: user });
});
