import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Config, loadConfig } from "./config.ts";
import { parseArguments } from "./options/arguments.ts";

let root: string;
let userFile: string;
let workspaceFile: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "toolwright-config-"));
  userFile = join(root, "config", "toolwright", "config.jsonc");
  workspaceFile = join(root, "workspace", ".toolwright", "config.jsonc");
});
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function loaded(argv: string[] = []): Promise<Config> {
  const env = { HOME: join(root, "home"), XDG_CONFIG_HOME: join(root, "config") };
  const parsed = parseArguments(argv, env);
  if (!parsed.ok) throw new Error(parsed.problem);
  const config = await loadConfig({ arguments: parsed.value, env, cwd: join(root, "workspace") });
  if (!config.ok) throw new Error(config.problem);
  return config.value;
}

test("A2: a mistake in a workspace's file is told in one line and never stops the start", async () => {
  await put(userFile, JSON.stringify({ rules: [{ tool: "*", decision: "allow" }] }));
  const asking = [{ tool: "*", decision: "ask" }];
  const ignored = (said: string) => ({
    mode: "auto",
    rules: [{ name: "user" }],
    warnings: [`${workspaceFile}:1: ${said}: it is ignored; mend or remove it`],
  });
  const unread = (said: string) => ({
    rules: [{ name: "user" }, { name: "workspace", rules: asking }],
    warnings: [`${said}: nothing of it is used, and every call asks until it is mended or removed`],
  });
  const cases: [text: string, expected: object][] = [
    ['{ "registries": ["*"] }', ignored('"registries.0" must be a host such as "npm.example.org"')],
    ['{ "maxRounds": "many" }', ignored('"maxRounds" must be a whole number from 1 to 100000, not "many"')],
    ['{ "hooks": 5 }', ignored('"hooks" must be a list in brackets')],
    ['{ "rules": [', unread(`${workspaceFile}:1: not valid JSON (close bracket expected)`)],
    ["[]", unread(`${workspaceFile}:1: the file must be one object in braces`)],
    [`{ "rules": ${"[".repeat(50_000)}`, unread(`${workspaceFile}:1: nested too deeply`)],
    [" ".repeat(1024 * 1024 + 1), unread(`${workspaceFile} is too large for a configuration file`)],
  ];
  for (const [text, expected] of cases) {
    await put(workspaceFile, text);
    expect(await loaded(["--mode", "auto"]), text.slice(0, 40)).toMatchObject(expected);
  }
  await rm(workspaceFile);
  await mkdir(workspaceFile);
  expect(await loaded()).toMatchObject(unread(`${workspaceFile} cannot be read (EISDIR): fix or remove it`));
});

test("what a workspace's file tightens in a way that cannot be read asks, and the rest of it holds", async () => {
  const deny = { tool: "*", path: "secret/**", decision: "deny" };
  const rules = [deny, { tool: "write_file", pth: "x", decision: "deny" }, { decision: "deny" }, 7];
  await put(workspaceFile, JSON.stringify({ mode: "pln", rules, autoApproveEdits: { "src/**": "no" } }));
  const config = await loaded(["--mode", "auto"]);
  expect(config).toMatchObject({
    mode: "ask",
    rules: [
      {
        name: "workspace",
        rules: [
          deny,
          { tool: "write_file", decision: "ask" },
          { tool: "*", decision: "ask" },
          { tool: "*", decision: "ask" },
        ],
      },
    ],
    autoApproveEdits: [{}, { "**": false }],
  });
  expect(config.warnings).toEqual([
    expect.stringContaining('config.jsonc:1: "mode" must be one of'),
    expect.stringContaining(
      '"rules.1" has no "pth" (did you mean "path"?): until it is mended, what the rule may be about asks',
    ),
    expect.stringContaining("until it is mended, every edit asks"),
  ]);
  expect(await loaded(["--mode", "plan"])).toMatchObject({ mode: "plan", warnings: config.warnings });
});

test("what a workspace's file says of programs is kept apart, and what is not understood of it asks", async () => {
  const row = { programs: "deploy", does: "high it deploys" };
  await put(userFile, JSON.stringify({ programs: [{ programs: "jq" }] }));
  await put(workspaceFile, JSON.stringify({ programs: [row] }));
  const placed = (one: object, path: string) => ({ ...one, at: `programs.0 of ${path}` });
  expect((await loaded()).programs).toEqual({
    user: [placed({ programs: "jq" }, userFile)],
    workspace: [placed(row, workspaceFile)],
  });
  await put(workspaceFile, JSON.stringify({ programs: [{ ...row, does: "eats files" }, 7] }));
  const config = await loaded();
  expect(config.programs.workspace).toMatchObject([
    { programs: "deploy", does: expect.stringMatching(/^critical /u) },
  ]);
  expect(config.warnings).toEqual([
    expect.stringContaining("until it is mended, the programs that it names ask"),
  ]);
});

test("a key that a workspace's file has twice is told, and no denial is lost by it", async () => {
  const deny = (path: string) => ({ tool: "*", path, decision: "deny" });
  const text = (one: string, other: string) => `{ "rules": [${one}],\n  "rules": [${other}] }`;
  await put(workspaceFile, text(JSON.stringify(deny("a/**")), JSON.stringify(deny("b/**"))));
  expect(await loaded()).toMatchObject({
    rules: [{ name: "workspace", rules: [deny("a/**"), deny("b/**")] }],
    warnings: [`${workspaceFile}:2: "rules" is there twice: all of these rules hold; mend it`],
  });
  await put(
    workspaceFile,
    text(JSON.stringify(deny("a/**")), '{ "tool": "b", "decision": "deny", "decision": "ask" }'),
  );
  expect(await loaded()).toMatchObject({
    rules: [{ name: "workspace", rules: [deny("a/**"), { tool: "*", decision: "ask" }] }],
  });
  await put(
    workspaceFile,
    '{ "rules": [{ "tool": "b", "decision": "deny",\n "decision": "ask" }], "mode": "plan" }',
  );
  expect(await loaded()).toMatchObject({
    mode: "plan",
    rules: [{ name: "workspace", rules: [{ tool: "*", decision: "ask" }] }],
    warnings: [
      `${workspaceFile}:2: "decision" is there twice in "rules": until it is mended, what the rule may be about asks`,
    ],
  });
  await put(
    workspaceFile,
    '{ "mode": "plan", "mode": "auto", "autoApproveEdits": { "a": false, "a": true } }',
  );
  expect(await loaded(["--mode", "auto"])).toMatchObject({
    mode: "ask",
    autoApproveEdits: [{}, { "**": false }],
  });
});

test("a key that the user's own file has twice is a mistake, like every other one there", async () => {
  await put(userFile, '{ "rules": [{ "tool": "*", "decision": "deny" }], "rules": [] }');
  await expect(loaded()).rejects.toThrow(`${userFile}:1: "rules" is there twice`);
});

test("a workspace's directory that is none, or a link, is told and never stops the start", async () => {
  const directory = dirname(workspaceFile);
  const told = async () => (await loaded(["--mode", "auto"])).warnings.map((one) => one.replaceAll(root, ""));
  await mkdir(dirname(directory), { recursive: true });
  await writeFile(directory, "a file");
  expect(await told()).toEqual([
    "/workspace/.toolwright is no directory, so no settings are read from it: remove it",
  ]);
  for (const target of [directory, join(root, "nowhere")]) {
    await rm(directory);
    await symlink(target, directory);
    expect((await told())[0]).toMatch(/^\/workspace\/.toolwright is a link that leads nowhere/u);
  }
  await rm(directory);
  await put(join(root, "elsewhere", "config.jsonc"), '{ "mode": "plan" }');
  await symlink(join(root, "elsewhere"), directory);
  expect(await told()).toEqual([
    "/workspace/.toolwright is a link: the settings of this workspace are read from /elsewhere",
  ]);
  expect((await loaded(["--mode", "auto"])).mode).toBe("plan");
});

test.runIf(process.getuid?.() !== 0)("a workspace's directory that nobody may enter is told", async () => {
  await put(workspaceFile, "{}");
  await chmod(dirname(workspaceFile), 0);
  const { warnings } = await loaded();
  await chmod(dirname(workspaceFile), 0o700);
  expect(warnings).toEqual([expect.stringMatching(/cannot be read \(EACCES\).*every call asks/u)]);
});
