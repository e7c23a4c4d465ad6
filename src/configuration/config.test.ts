import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { hookEvents } from "../protocol/fact-words.ts";
import { loadConfig } from "./config.ts";
import { parseArguments } from "./options/arguments.ts";

let root: string;
let workspace: string;
let userFile: string;
let workspaceFile: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "toolwright-config-"));
  workspace = join(root, "workspace");
  userFile = join(root, "config", "toolwright", "config.jsonc");
  workspaceFile = join(workspace, ".toolwright", "config.jsonc");
});
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function load(argv: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const all = { HOME: join(root, "home"), XDG_CONFIG_HOME: join(root, "config"), ...env };
  const parsed = parseArguments(argv, all);
  if (!parsed.ok) throw new Error(parsed.problem);
  return loadConfig({ arguments: parsed.value, env: all, cwd: workspace });
}

async function loaded(argv: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const config = await load(argv, env);
  if (!config.ok) throw new Error(config.problem);
  return config.value;
}

test("the mode trusted starts in a container, or with the words typed in full, and says so first", async () => {
  const machine = await mkdtemp(join(tmpdir(), "toolwright-machine-"));
  onTestFinished(() => rm(machine, { recursive: true }));
  const trusted = (argv: string[], env: NodeJS.ProcessEnv = {}) => {
    const all = { HOME: join(root, "home"), XDG_CONFIG_HOME: join(root, "config"), ...env };
    const parsed = parseArguments(argv, all);
    if (!parsed.ok) throw new Error(parsed.problem);
    return loadConfig({ arguments: parsed.value, env: all, cwd: workspace, machine });
  };
  const refusal = {
    ok: false,
    problem: expect.stringMatching(
      /starts only in a container .* start Toolwright with the option "knowing"/u,
    ),
  };
  expect(await trusted(["--mode", "trusted"])).toEqual(refusal);
  expect(await trusted(["serve"], { TOOLWRIGHT_MODE: "trusted" })).toEqual(refusal);
  await put(userFile, '{ "mode": "trusted" }');
  expect(await trusted(["mcp"])).toEqual(refusal);
  expect(await trusted(["explain", "ls"])).toMatchObject({ ok: true }); // runs nothing
  const words = "--i-know-this-can-change-anything";
  expect(await trusted([words])).toMatchObject({ ok: true, value: { mode: "trusted", knowing: true } });
  await put(userFile, `{ "mode": "trusted", "knowing": true, "${words.slice(2)}": true }`);
  expect(await trusted([])).toMatchObject({ ok: false });
  await rm(userFile);
  await writeFile(join(machine, ".dockerenv"), "");
  await put(workspaceFile, '{ "model": "x/y" }');
  expect(await trusted(["--mode", "trusted"])).toMatchObject({
    ok: true,
    value: {
      mode: "trusted",
      warnings: [
        "The mode is trusted (this is a Docker container (/.dockerenv)): commands run as you, without a sandbox, and nothing asks but your own rules and hooks.",
        expect.stringContaining("a workspace may not set"),
      ],
    },
  });
});

test("a workspace's file never sets the mode trusted, and may take a session out of it", async () => {
  await put(workspaceFile, '{ "mode": "trusted", "knowing": true }');
  const config = await loaded();
  expect(config).toMatchObject({ mode: "ask", knowing: false });
  expect(config.warnings).toContain(
    `${workspaceFile}: a workspace may not loosen "mode" to trusted; it is ignored`,
  );
  await put(workspaceFile, '{ "mode": "plan" }');
  expect(await loaded(["--mode", "trusted"])).toMatchObject({ mode: "plan", warnings: [] });
});

test("the defaults apply without files, variables and flags", async () => {
  expect(await load()).toEqual({
    ok: true,
    value: {
      workspace,
      stateDir: join(root, "home", ".local", "state", "toolwright"),
      prompt: undefined,
      input: "text",
      output: "text",
      partial: false,
      model: undefined,
      mode: "ask",
      knowing: false,
      dialect: "auto",
      constraint: "auto",
      smallModel: "auto",
      maxRounds: undefined,
      maxCost: undefined,
      maxTokens: undefined,
      maxMinutes: undefined,
      retryMs: undefined,
      fallback: [],
      onLimit: "ask",
      completion: "auto",
      contextTokens: undefined,
      reasoning: undefined,
      continue: false,
      resume: undefined,
      fork: false,
      takeOver: false,
      noSave: false,
      telemetry: "off",
      offlineModel: false,
      gitBranch: "off",
      verbose: false,
      plain: false,
      providers: {},
      rules: [],
      system: {},
      autoApproveEdits: [{}, {}],
      registries: [],
      programs: { user: [], workspace: [] },
      prices: {},
      lmServer: {},
      keys: {},
      addons: { user: {}, workspace: {}, directories: expect.anything() },
      configDir: expect.stringMatching(/toolwright$/u),
      port: undefined,
      log: undefined,
      host: "127.0.0.1",
      attach: [],
      allowHosts: [],
      drainMs: 10_000,
      answerWithinMs: 60_000,
      checkouts: join(root, "home", ".cache", "toolwright", "checkouts"),
      gitProtocols: ["https", "ssh"],
      whenAway: "wait",
      warnings: [],
    },
  });
});

test("flags win over the environment, the environment over the user's file", async () => {
  await put(userFile, '{ "model": "file/m", "mode": "plan", "maxRounds": 10, "dialect": "native" }');
  const env = { TOOLWRIGHT_MODEL: "env/m", TOOLWRIGHT_MODE: "auto" };
  expect(await loaded(["--model", "flag/m"], env)).toMatchObject({
    model: "flag/m",
    mode: "auto",
    maxRounds: 10,
    dialect: "native",
  });
});

test("comments, trailing commas, a byte order mark and $schema are accepted", async () => {
  await put(userFile, '\uFEFF{\n// mine\n"$schema": "x", "mode": "plan", /* yes */\n}');
  expect(await loaded()).toMatchObject({ mode: "plan", warnings: [] });
});

test("config.json is read when there is no config.jsonc", async () => {
  await put(userFile.replace("jsonc", "json"), '{ "maxRounds": 9 }');
  expect(await loaded()).toMatchObject({ maxRounds: 9 });
});

test("an empty file sets nothing", async () => {
  await put(userFile, "  \n");
  expect(await loaded()).toMatchObject({ mode: "ask", warnings: [] });
});

test("providers and rules are read as they are written", async () => {
  const providers = { mine: { baseUrl: "http://localhost:8000/v1", keyVariable: "MY_KEY", models: ["a"] } };
  const rules = [
    { tool: "run_it", command: "npm test*", decision: "allow" },
    { tool: "*", path: "secret/**", decision: "deny" },
  ];
  await put(userFile, JSON.stringify({ providers, rules }));
  expect(await loaded()).toMatchObject({ providers, rules: [{ name: "user", rules }], warnings: [] });
});

test("A37: autoApproveEdits is read from its own key, and a workspace's may only require approval", async () => {
  await put(userFile, '{ "autoApproveEdits": { "**/.env": true, "docs/**": false } }');
  await put(workspaceFile, '{ "autoApproveEdits": { "**/*.pem": true, "src/**": false } }');
  expect(await loaded()).toMatchObject({
    autoApproveEdits: [{ "**/.env": true, "docs/**": false }, { "src/**": false }],
    warnings: [
      `${workspaceFile}: a workspace may not approve edits ("autoApproveEdits": true); it is ignored`,
    ],
  });
});

test("an unknown key is ignored with a warning that suggests the closest option", async () => {
  await put(userFile, '{ "maxRound": 9, "prompt": "x", "colour": 1 }');
  expect(await loaded()).toMatchObject({
    maxRounds: undefined,
    prompt: undefined,
    warnings: [
      `${userFile}: there is no option "maxRound" (did you mean "maxRounds"?); it is ignored`,
      `${userFile}: there is no option "prompt"; it is ignored`,
      `${userFile}: there is no option "colour"; it is ignored`,
    ],
  });
});

test.each([
  [
    '{\n"mode": true }',
    2,
    '"mode" must be one of ask, accept-edits, plan, auto, deny, staged, trusted, not true',
  ],
  ['{\n\n"maxRounds": "0" }', 3, '"maxRounds" must be a whole number from 1 to 100000, not "0"'],
  ['{ "model": "" }', 1, '"model" must be a non-empty text, not ""'],
  ['{ "model": null }', 1, '"model" must be a non-empty text, not null'],
  ['{ "mode": "plan"\n', 2, "not valid JSON (close brace expected)"],
  [
    '{ "statusLine":\n"{modle}" }',
    2,
    '"statusLine" must be a template with {mode}, {model}, {context}, {cost}, {branch}, {session}, {workspace}, or { "command": "…" }',
  ],
  [
    '{ "statusLine": {\n"run": "x" } }',
    1,
    '"statusLine" must be a template with {mode}, {model}, {context}, {cost}, {branch}, {session}, {workspace}, or { "command": "…" }',
  ],
  ['{ "keys": { "todos":\n1 } }', 2, '"keys.todos" must be a key or a list of keys'],
  ["[]", 1, "the file must be one object in braces"],
  ['{ "rules": {} }', 1, '"rules" must be a list in brackets'],
  ['{ "mcpServers": { "s": { "timeout": 0 } } }', 1, '"mcpServers.s.timeout" must be at least 1'],
  ['{ "mcpServers": { "s": { "timeout": 9999 } } }', 1, '"mcpServers.s.timeout" must be at most 3600'],
  ['{ "autoApproveEdits": { "a":\n"ask" } }', 2, '"autoApproveEdits.a" must be true or false'],
  [
    '{ "registries": ["https://npm.example.org/"] }',
    1,
    '"registries.0" must be a host such as "npm.example.org"',
  ],
  ['{ "programs": [{ "does": "reads" }] }', 1, '"programs.0.programs" must be a text'],
  [
    '{ "programs": [{ "programs": "a", "doess": "reads" }] }',
    1,
    '"programs.0" has no "doess" (did you mean "does"?)',
  ],
  [
    '{ "programs": [{ "programs": "a" },\n{ "programs": "b", "does": "eats files" }] }',
    2,
    '"programs.1": "eats files" is not understood: docs/programs.md lists what a program can do',
  ],
  [
    '{ "programs": [{ "programs": "a", "options": { "-w --write": "edits" } }] }',
    1,
    '"programs.0": -w --write has no value: say "edits if -w --write" in "does"',
  ],
  [
    '{ "prices": { "big": { "input": 1, "output": 1 } } }',
    1,
    '"prices.big" must have a name like provider/model',
  ],
  [
    '{ "prices": { "a/b": {\n"input": -1, "output": 1 } } }',
    2,
    '"prices.a/b.input" must be an amount in dollars, not below 0',
  ],
  ['{ "prices": { "a/b": {\n"input": "1", "output": 1 } } }', 2, '"prices.a/b.input" must be a number'],
  ['{ "prices": { "a/b": { "input": 1,\n"outptu": 1 } } }', 1, '"prices.a/b.output" must be a number'],
  [
    '{ "prices": { "a/b": { "input": 1, "output": 1,\n"cacheReads": 1 } } }',
    2,
    '"prices.a/b" has no "cacheReads" (did you mean "cacheRead"?)',
  ],
  ['{ "autoApproveEdits": { "**/.env":\n"ask" } }', 2, `"autoApproveEdits.'**/.env'" must be true or false`],
  [
    '{ "rules": [{ "tool": "*",\n"command": " ", "decision": "deny" }] }',
    2,
    '"rules.0.command" must be a non-empty text',
  ],
  [
    '{ "rules": [{ "tool": "*",\n"upTo": "high", "decision": "deny" }] }',
    2,
    '"rules.0.upTo" must be left out: only a rule with "decision": "allow" has a limit',
  ],
  ['{ "autoApproveEdits": [] }', 1, '"autoApproveEdits" must be an object in braces'],
  [
    '{ "rules": [{ "tool": "*", "upTo": "critical", "decision": "allow" }] }',
    1,
    '"rules.0.upTo" must be one of medium, high',
  ],
  [
    '{ "rules": [\n{ "tool": "*",\n"decision": true }] }',
    3,
    '"rules.0.decision" must be one of allow, ask, deny',
  ],
  ['{ "rules": [\n{ "decision": "deny" }] }', 2, '"rules.0.tool" must be a text'],
  [
    '{ "rules": [\n{ "tool": "*",\n"comand": "x", "decision": "allow" }] }',
    3,
    '"rules.0" has no "comand" (did you mean "command"?)',
  ],
  ['{ "providers": { "mine":\n3 } }', 2, '"providers.mine" must be an object in braces'],
  [
    '{ "providers": { "mine": {\n"baseUrl": "localhost" } } }',
    2,
    '"providers.mine.baseUrl" must be an address that begins with http:// or https://',
  ],
  [
    '{ "providers": { "mine": {\n"url": "http://x" } } }',
    2,
    '"providers.mine" has no "url"; it has baseUrl, key, keyVariable, headers, wire, models, constraints',
  ],
  [
    '{ "providers": { "mine": {\n"wire": "openai-chta" } } }',
    2,
    '"providers.mine.wire" must be one of anthropic, openai-chat, openai-responses, ollama, gemini, cohere (did you mean "openai-chat"?)',
  ],
  [
    '{ "languageServers": { "go": {\n"comand": ["gopls"] } } }',
    2,
    '"languageServers.go" has no "comand" (did you mean "command"?)',
  ],
  [
    '{ "languageServers": { "zig": {\n"command": "zls" } } }',
    2,
    '"languageServers.zig.command" must be a list in brackets',
  ],
  [
    '{ "hooks": [{ "on": "prompts", "command": "x" }] }',
    1,
    `"hooks.0.on" must be an event or a list of events: ${hookEvents.join(", ")}`,
  ],
  ['{ "hooks": [{ "on": "prompt", "command": 3 }] }', 1, '"hooks.0.command" must be a text'],
  ['{ "languageServers": true }', 1, '"languageServers" must be an object in braces'],
  ['{ "fetch": {\n"allow": [] } }', 2, '"fetch" has no "allow"; it has hosts'],
  [
    '{ "webSearch": { "command": ["a"], "url": "http://x" } }',
    1,
    '"webSearch" must be an object with either `command` or `url`',
  ],
  [
    '{ "mcpServers": { "a b": { "command": "x" } } }',
    1,
    `"mcpServers.'a b'" must have a name of letters, digits, _, - and ., 64 of them at most`,
  ],
  ['{ "mcpServers": { "a": {\n"reads": "all" } } }', 2, '"mcpServers.a.reads" must be true or false'],
  ['{ "providers": {\n"a/b": {} } }', 2, '"providers.a/b" must have a name without spaces and without / : #'],
])("%j is refused with its line", async (text, line, problem) => {
  await put(userFile, text);
  expect(await load()).toEqual({ ok: false, problem: `${userFile}:${line}: ${problem}` });
});

test("a mistake is told in the same words once the client for tool servers is loaded", async () => {
  await import("@modelcontextprotocol/sdk/types.js");
  await put(userFile, '{ "mcpServers": { "s": { "timeout": 0 } } }');
  const problem = `${userFile}:1: "mcpServers.s.timeout" must be at least 1`;
  expect(await load()).toEqual({ ok: false, problem });
});

test("a configuration path that is a directory, or a file that is too large, is refused in one line", async () => {
  await mkdir(userFile, { recursive: true });
  expect(await load()).toEqual({
    ok: false,
    problem: `${userFile} cannot be read (EISDIR): fix or remove it`,
  });
  await rm(userFile, { recursive: true });
  await put(userFile, " ".repeat(1024 * 1024 + 1));
  expect(await load()).toEqual({ ok: false, problem: `${userFile} is too large for a configuration file` });
});

test("deeply nested input is refused without a crash", async () => {
  await put(userFile, `{ "rules": ${"[".repeat(50_000)}`);
  expect(await load()).toEqual({ ok: false, problem: `${userFile}:1: nested too deeply` });
});

test("a workspace may tighten the mode, whatever the flags say", async () => {
  await put(workspaceFile, '{ "mode": "plan" }');
  expect(await loaded(["--mode", "auto"])).toMatchObject({ mode: "plan", warnings: [] });
});

test("a workspace may not loosen the mode", async () => {
  await put(workspaceFile, '{ "mode": "auto" }');
  expect(await loaded()).toMatchObject({
    mode: "ask",
    warnings: [`${workspaceFile}: a workspace may not loosen "mode" to auto; it is ignored`],
  });
});

test("B9: a workspace may not loosen the mode staged; its staged tightens accept-edits, but not ask", async () => {
  await put(workspaceFile, '{ "mode": "auto" }');
  expect(await loaded(["--mode", "staged"])).toMatchObject({
    mode: "staged",
    warnings: [`${workspaceFile}: a workspace may not loosen "mode" to auto; it is ignored`],
  });
  await put(workspaceFile, '{ "mode": "staged" }');
  expect(await loaded(["--mode", "accept-edits"])).toMatchObject({ mode: "staged", warnings: [] });
  // Without a person a staged change can still be approved by its token, whereas the mode ask denies it.
  expect(await loaded(["--mode", "ask"])).toMatchObject({ mode: "ask" });
  await put(workspaceFile, '{ "mode": "ask" }');
  expect(await loaded(["--mode", "staged"])).toMatchObject({ mode: "ask", warnings: [] });
});

test("a workspace may only add rules that ask or deny, and no other settings of the user's", async () => {
  const deny = { tool: "*", path: "secret/**", decision: "deny" };
  const allow = { tool: "*", decision: "allow" };
  const providers = { mine: { baseUrl: "http://evil.example/v1" } };
  await put(userFile, JSON.stringify({ rules: [allow] }));
  await put(
    workspaceFile,
    JSON.stringify({ rules: [allow, deny], providers, model: "evil/m", stateDir: "." }),
  );
  expect(await loaded()).toMatchObject({
    model: undefined,
    providers: {},
    rules: [
      { name: "user", rules: [allow] },
      { name: "workspace", rules: [deny] },
    ],
    warnings: [
      `${workspaceFile}: a workspace may not set "model"; it is ignored`,
      `${workspaceFile}: a workspace may not set "stateDir"; it is ignored`,
      `${workspaceFile}: a workspace may not set "providers"; it is ignored`,
      `${workspaceFile}: a workspace may not have "rules" that allow; it is ignored`,
    ],
  });
});

test("--cwd sets the workspace, relative to the directory in which the command runs", async () => {
  expect(await loaded(["--cwd", "../other"])).toMatchObject({ workspace: join(root, "other") });
});

test("a state directory inside the workspace is refused for a session, but not for doctor", async () => {
  const stateDir = join(workspace, "state");
  expect(await load(["--state-dir", "state"])).toEqual({
    ok: false,
    problem: `The state directory ${stateDir} lies inside the workspace ${workspace}: choose another with the option "stateDir", or a narrower workspace with the option "cwd"`,
  });
  expect(await load(["doctor", "--state-dir", "state"])).toMatchObject({ ok: true, value: { stateDir } });
});

test("a status line is read from the user's file only, since it runs a command", async () => {
  await put(userFile, '{ "statusLine": { "type": "command", "command": "~/status.sh", "padding": 0 } }');
  await put(workspaceFile, '{ "statusLine": { "command": "touch /tmp/run" } }');
  expect(await loaded()).toMatchObject({
    statusLine: { command: "~/status.sh" },
    warnings: [`${workspaceFile}: a workspace may not set "statusLine"; it is ignored`],
  });
});

test("keys are read from the user's file only; a workspace may not change what a key does", async () => {
  await put(userFile, '{ "keys": { "todos": "f2", "suspend": [] } }');
  await put(workspaceFile, '{ "keys": { "interrupt": "f9" } }');
  expect(await loaded()).toMatchObject({
    keys: { todos: "f2", suspend: [] },
    warnings: [`${workspaceFile}: a workspace may not set "keys"; it is ignored`],
  });
});

test("prices are read from the user's file only; a workspace may not set them", async () => {
  const own = { "work/*": { input: 3, output: 15, cacheRead: 0.3 } };
  await put(userFile, JSON.stringify({ prices: own }));
  await put(workspaceFile, '{ "prices": { "*": { "input": 0, "output": 0 } } }');
  expect(await loaded()).toMatchObject({
    prices: own,
    warnings: [`${workspaceFile}: a workspace may not set "prices"; it is ignored`],
  });
});
