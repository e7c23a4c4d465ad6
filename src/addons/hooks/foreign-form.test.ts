/** Hooks in other agents' formats: what each of their settings means here, and that nothing is ignored silently. */

import { expect, onTestFinished, test } from "vitest";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { foreignHooks } from "./foreign-form.ts";
import type { KnownTool } from "./hook.ts";

async function hooksIn(files: Record<string, object>) {
  const texts = Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)]);
  const workspace = await temporaryWorkspace(Object.fromEntries(texts));
  onTestFinished(() => workspace.remove());
  return { ...foreignHooks(workspace.root), root: workspace.root };
}

const read = (hook: object, { event = "PreToolUse", matcher = "Bash" } = {}) =>
  hooksIn({ ".claude/settings.json": { hooks: { [event]: [{ matcher, hooks: [hook] }] } } });

const known: readonly KnownTool[] = [
  { name: "run_command", aliases: ["bash"], does: "execute" },
  { name: "terminal", aliases: [], does: "execute" },
  { name: "write_file", aliases: ["write"], does: "change" },
  { name: "apply_patch", aliases: ["patch"], does: "change" },
  { name: "update_todos", aliases: ["todo_write"], does: "read" },
  { name: "delegate", aliases: ["task", "agent"], does: "delegate" },
  { name: "read_file", aliases: ["read"], does: "read" },
  { name: "mcp__files__write_file", aliases: [], does: "change" },
];

test.each<[string, string[]]>([
  ["Write", ["write_file as Write", "apply_patch as Write"]],
  ["Edit, Write", ["write_file as Write", "apply_patch as Edit"]],
  ["Edit | Write", ["write_file as Write", "apply_patch as Edit"]],
  ["^Edit", ["apply_patch as Edit"]],
  ["(Edit|Write)$", ["write_file as Write", "apply_patch as Edit", "update_todos as TodoWrite"]],
  ["^(Bash|Task|Agent)$", ["run_command as Bash", "terminal as Bash", "delegate as Task"]],
  ["Agent", ["delegate as Agent"]],
  ["Bas", []],
  ["mcp__.*__write", ["mcp__files__write_file as mcp__files__write_file"]],
  ["read_file|apply_patch", ["apply_patch as apply_patch", "read_file as read_file"]],
])(
  "C7: a matcher is a list of names or a regular expression for any part of a name: %s",
  async (matcher, called) => {
    const { hooks } = await read({ type: "command", command: "x" }, { matcher });
    const found = known.flatMap((tool) => {
      const name = hooks[0]?.calls(tool);
      return name === undefined ? [] : [`${tool.name} as ${name}`];
    });
    expect(found).toEqual(called);
  },
);

test.each(["((\\w*\\w*)*\\w*)*!", "(a|a_|_)+$b", "("])(
  "SAFETY 5: a hook with a malformed or catastrophic matcher is reported and does not run: %s",
  async (matcher) => {
    const { hooks, problems } = await read({ type: "command", command: "x" }, { matcher });
    expect(hooks).toEqual([]);
    expect(problems).toEqual([
      `.claude/settings.json: a hook of PreToolUse whose matcher cannot be read (${matcher}); it does not run.`,
    ]);
  },
);

test("SAFETY 5: a matcher that cannot be read is reported for every event that has matchers", async () => {
  const { problems } = await read({ type: "command", command: "x" }, { event: "SessionStart", matcher: "(" });
  expect(problems).toHaveLength(1);
});

test("C7: a foreign hook's onFailure setting is kept", async () => {
  const { hooks } = await read({ type: "command", command: "x", onFailure: "block" });
  expect(hooks).toMatchObject([{ onFailure: "block" }]);
});

test("timeouts are in seconds and default to the maximum that a hook may take", async () => {
  const times = async (hook: object) => (await read(hook)).hooks.map(({ timeoutMs }) => timeoutMs);
  expect(await times({ type: "command", command: "x", timeout: 5 })).toEqual([5_000]);
  expect(await times({ type: "command", command: "x" })).toEqual([120_000]);
  expect(await times({ type: "command", command: "x", timeout: 5_000 })).toEqual([120_000]);
});

test("the workspace variable is filled in within a program and its arguments", async () => {
  const { hooks, root } = await read({
    type: "command",
    command: "${CLAUDE_PROJECT_DIR}/.claude/guard.js",
    args: ["--root=$CLAUDE_PROJECT_DIR", "$HOME"],
  });
  expect(hooks[0]?.runs).toEqual({
    type: "program",
    command: [`${root}/.claude/guard.js`, `--root=${root}`, "$HOME"],
  });
});

const asks = (headers: object, allowedEnvVars?: unknown) =>
  read({ type: "http", url: "https://policy.example/check", headers, allowedEnvVars });

test("headers may use the variables in allowedEnvVars; a hook that uses others is reported and does not run", async () => {
  const { hooks } = await asks({ authorization: "Bearer $TOKEN", "x-b": "${TOKEN}-1", "x-c": "c" }, [
    "TOKEN",
  ]);
  expect(hooks[0]?.runs).toMatchObject({
    headers: { authorization: "Bearer ${TOKEN}", "x-b": "${TOKEN}-1", "x-c": "c" },
  });
  for (const listed of [undefined, [], ["OTHER"], "TOKEN"]) {
    const { hooks: none, problems } = await asks({ authorization: "Bearer $TOKEN" }, listed);
    expect(none).toEqual([]);
    expect(problems).toEqual([
      ".claude/settings.json: a hook of PreToolUse whose header authorization has TOKEN in it, which its allowedEnvVars does not list; it does not run.",
    ]);
  }
});

test.each<[object, string]>([
  [{ type: "prompt", prompt: "Is this safe?" }, "that is neither a command nor an address"],
  [
    { type: "command", command: "Get-Date", shell: "powershell" },
    "that is written for powershell: lines are run by bash here",
  ],
])("a hook that cannot be run is reported: %j", async (hook, words) => {
  expect((await read(hook)).problems).toEqual([
    `.claude/settings.json: a hook of PreToolUse ${words}; it does not run.`,
  ]);
});

test("PostToolUse applies to successful calls, and PostToolUseFailure to failed ones", async () => {
  const outcomes = async (event: string) => {
    const { hooks } = await read({ type: "command", command: "x" }, { event });
    return ["ok", "failed"].filter((outcome) => hooks[0]?.fits?.(outcome));
  };
  expect(await outcomes("PostToolUse")).toEqual(["ok"]);
  expect(await outcomes("PostToolUseFailure")).toEqual(["failed"]);
});

test("Codex hooks are read in the same format", async () => {
  const { hooks, problems } = await hooksIn({
    ".codex/hooks.json": {
      hooks: {
        PreToolUse: [{ matcher: "^Bash$", hooks: [{ type: "command", command: "./guard.sh", timeout: 30 }] }],
      },
    },
  });
  expect(problems).toEqual([]);
  expect(hooks).toMatchObject([
    { name: "guard.sh at PreToolUse", where: ".codex/hooks.json", timeoutMs: 30_000 },
  ]);
});

test("hooks in unsupported formats are reported; files without hooks are not", async () => {
  const { hooks, problems } = await hooksIn({
    ".cursor/hooks.json": { version: 1, hooks: { beforeShellExecution: [{ command: "./guard.sh" }] } },
    ".gemini/settings.json": { hooks: { BeforeTool: [{ hooks: [{ type: "command", command: "x" }] }] } },
    ".github/hooks/a.json": { version: 1, hooks: { preToolUse: [{ type: "command", bash: "x" }] } },
    ".github/hooks/b.json": { version: 1, hooks: { preToolUse: [] } },
  });
  expect(hooks).toEqual([]);
  expect(problems.map((words) => words.split(":")[0])).toEqual([
    ".cursor/hooks.json",
    ".gemini/settings.json",
    ".github/hooks/a.json",
  ]);
  const { problems: none } = await hooksIn({ ".gemini/settings.json": { mcpServers: {} } });
  expect(none).toEqual([]);
});

test("the numbers of hooks and of reported problems are bounded", async () => {
  const many = Array.from({ length: 300 }, (_, at) => ({
    matcher: `(${at}`,
    hooks: [{ type: "command", command: `x${at}` }],
  }));
  const { hooks, problems } = await hooksIn({
    ".claude/settings.json": { hooks: { PreToolUse: many.slice(0, 5), Stop: many } },
  });
  expect(hooks).toHaveLength(95);
  expect(problems).toHaveLength(6);
  const { problems: nonsense } = await hooksIn({
    ".claude/settings.json": { hooks: { Stop: many.map(() => 5) } },
  });
  expect(nonsense).toHaveLength(11);
});
