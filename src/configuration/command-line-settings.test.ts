/** Tests what the command line itself brings: rules of the run, the tools of the model, own prompts, another file. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileBounds } from "../base/bounds.ts";
import { loadConfig } from "./config.ts";
import { parseArguments } from "./options/arguments.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "toolwright-given-"));
});
afterEach(() => rm(root, { recursive: true }));

async function load(...argv: string[]) {
  const env = { HOME: "/nowhere", XDG_CONFIG_HOME: join(root, "config") };
  const parsed = parseArguments(argv, env);
  return parsed.ok ? loadConfig({ arguments: parsed.value, env, cwd: root }) : parsed;
}

async function loaded(...argv: string[]) {
  const config = await load(...argv);
  if (!config.ok) throw new Error(config.problem);
  return config.value;
}

const problem = async (...argv: string[]): Promise<string> => {
  const config = await load(...argv);
  return config.ok ? "" : config.problem;
};

const put = async (name: string, content: string | Uint8Array): Promise<void> => {
  await mkdir(join(root, ".toolwright"), { recursive: true });
  await writeFile(join(root, name), content);
};

test("a rule of the run may be a tool's name and, behind a colon, what suits the tool", async () => {
  const allowed = [
    "run_command:npm test *",
    "bash:git status",
    "edit_file:docs/**",
    "apply_patch:src/**",
    "read_file:a b.txt",
  ];
  const denied = ["fetch:docs.example.org", "terminal"];
  const { rules } = await loaded(
    ...allowed.flatMap((rule) => ["--allow", rule]),
    ...denied.flatMap((rule) => ["--deny", rule]),
  );
  expect(rules).toEqual([
    {
      name: "command-line",
      rules: [
        { tool: "fetch", host: "docs.example.org", decision: "deny" },
        { tool: "terminal", decision: "deny" },
        { tool: "run_command", command: "npm test *", decision: "allow" },
        { tool: "bash", command: "git status", decision: "allow" },
        { tool: "edit_file", path: "docs/**", decision: "allow" },
        { tool: "apply_patch", path: "src/**", decision: "allow" },
        { tool: "read_file", path: "a b.txt", decision: "allow" },
      ],
    },
  ]);
});

test("a rule of the run that names no tool, or nothing that suits the tool, is refused", async () => {
  for (const rule of [
    "nope:x",
    "run_command:",
    "run_command: ",
    "*:x",
    ":x",
    "ask_user:x",
    "npm test",
    "{",
    "",
  ])
    expect(await problem("--deny", rule)).toMatch(/^--deny must be /u);
  expect(await problem("--allow", "fetch:not a host")).toMatch(/^--allow: "rule\.host" must be a host/u);
  expect(await problem("--allow", `edit_file:${"x".repeat(1_001)}`)).toMatch(
    /^--allow: "rule\.path" must be a glob/u,
  );
});

test("--tools names what the model gets, by any of a tool's names, and an unknown name is a mistake", async () => {
  expect((await loaded("--tools", "read_file, Bash,mcp__docs__*,*_file")).tools).toEqual([
    "read_file",
    "run_command",
    "mcp__docs__*",
    "*_file",
  ]);
  expect((await loaded("--tools", "none")).tools).toEqual([]);
  expect((await loaded()).tools).toBeUndefined();
  expect(await problem("--tools", "read_fil")).toMatch(/no tool "read_fil" \(did you mean "read_file"\?\)/u);
  expect(await problem("--tools", "none,x")).toMatch(/there is no tool "none"/u);
  expect(await problem("--tools", ", ,")).toMatch(/needs the names of tools/u);
});

test("a system prompt of one's own is read from a file, and only the command line can name it", async () => {
  await put("own.md", "\uFEFFYou are terse.\n");
  await put("more.md", "Answer in German.\n");
  expect(
    (await loaded("--system-prompt-file", "own.md", "--append-system-prompt-file", "more.md")).system,
  ).toEqual({
    instead: "You are terse.",
    added: "Answer in German.",
  });
  await put(".toolwright/config.jsonc", '{ "systemPromptFile": "own.md", "askOn": "x", "tools": "none" }');
  const config = await loaded();
  expect([config.system, config.askOn, config.tools]).toEqual([{}, undefined, undefined]);
  expect(config.warnings).toHaveLength(3);
});

test("a system prompt that is missing, empty, huge, no text or no file stops the start in one line", async () => {
  await put("empty", " \n");
  await put("binary", new Uint8Array([0, 1, 2]));
  await put("huge", "x".repeat(fileBounds.configuration.most + 1));
  const wrong = {
    none: /does not exist/u,
    empty: /is empty/u,
    binary: /no UTF-8/u,
    huge: /too large/u,
    ".": /EISDIR/u,
  };
  for (const [name, words] of Object.entries(wrong))
    for (const flag of ["--system-prompt-file", "--append-system-prompt-file"])
      expect(await problem(flag, name)).toMatch(words);
});

test("--config takes the place of the user's file, the workspace still tightens, and a missing file is a mistake", async () => {
  await mkdir(join(root, "config", "toolwright"), { recursive: true });
  await writeFile(join(root, "config", "toolwright", "config.jsonc"), '{ "mode": "plan", "maxRounds": 3 }');
  await put("other.jsonc", '{ "maxCost": 2, "mode": "auto" }');
  await put(".toolwright/config.jsonc", '{ "mode": "ask" }');
  const config = await loaded("--config", "other.jsonc");
  expect([config.maxCost, config.maxRounds, config.mode]).toEqual([2, undefined, "ask"]);
  expect(config.configFile).toBe(join(root, "other.jsonc"));
  expect(await problem("--config", "none.jsonc")).toMatch(/^There is no file .*none\.jsonc/u);
  await put("broken.jsonc", '{ "mode": 1 }');
  expect(await problem("--config", "broken.jsonc")).toMatch(/broken\.jsonc:1: "mode" must be/u);
});

test.each([
  [["--no-save", "--continue", "-p", "x"], "--continue and --no-save exclude each other: give one of them"],
  [["--fork", "-p", "x"], "--fork needs a session to copy: add --continue or --resume ID"],
  [["--partial", "-p", "x"], "--partial is for the lines of --output stream-json: add that"],
  [
    ["--input", "stream-json", "--output", "json"],
    "--input stream-json prints lines: leave --output json out",
  ],
  [["serve", "--ask-on", "x"], "--ask-on is for -p: toolwright serve takes none"],
  [["models", "--no-save"], "--no-save is for -p: toolwright models takes none"],
])("%j is refused", async (argv, words) => {
  expect(await problem(...argv)).toBe(words);
});

test("lines on standard input exclude what would answer or check in their place", async () => {
  for (const flags of [
    ["--ask-on", "x"],
    ["--json-schema", "x"],
  ])
    expect(await problem("--input", "stream-json", ...flags)).toMatch(/exclude each other/u);
});
