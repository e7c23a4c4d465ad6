import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseArguments } from "../options/arguments.ts";
import { type Config, loadConfig } from "./config.ts";

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
    ['{ "maxRounds": "many" }', ignored('"maxRounds" must be a whole number from 5 to 100, not "many"')],
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
