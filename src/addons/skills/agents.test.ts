/** Definitions of agents as users of other agents write them. */

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeWith, putFile } from "../../testing/written-files.ts";
import { tools } from "../../tools/index.ts";
import { readFile } from "../../tools/read-file.ts";
import type { Tool } from "../../tools/tool.ts";
import { agentDefinitions } from "./agents.ts";
import { toolsDenied, toolsNamed } from "./tool-names.ts";

const reviewer = `---
name: code-reviewer
description: Use this agent when code was written. Examples: <example>Context: a function. user: "done?"</example>
tools: Read, Grep, Glob, Bash
model: sonnet
color: red
---

You review code.
`;

test("B6: agents of Claude Code, opencode, Cursor, Gemini CLI and Copilot work as they are", async () => {
  await using place = await placeWith({
    "work/.claude/agents/code-reviewer.md": reviewer,
    "work/.opencode/agent/docs.md": `---\ndescription: Writes docs\nmode: subagent\nmodel: anthropic/claude-sonnet-4\nsteps: 4\ntools:\n  write: false\n  bash: false\n---\nWrite.`,
    "work/.github/agents/planner.agent.md": `---\ndescription: 'Plans'\ntools: ['search', 'read', 'web/fetch']\n---\nPlan.`,
    "work/.claude/agents/README.md": "# Our agents\n",
    "work/.cursor/agents/verifier.md":
      "---\nname: verifier\ndescription: Verifies\nmodel: inherit\nreadonly: true\n---\nVerify.",
    "work/.gemini/agents/tester.md":
      "---\nname: tester\ndescription: Tests\nkind: local\ntools:\n  - read_file\n  - grep_search\n  - run_shell_command\nmax_turns: 5\n---\nTest.",
  });
  const { agents, problems } = await agentDefinitions(place);
  expect(problems).toEqual([]);
  expect(agents).toMatchObject([
    {
      name: "code-reviewer",
      tools: ["Read", "Grep", "Glob", "Bash"],
      model: "sonnet",
      prompt: "You review code.",
      from: "workspace",
    },
    { name: "docs", maxRounds: 4, withoutTools: ["write", "bash"], model: "anthropic/claude-sonnet-4" },
    { name: "verifier", description: "Verifies", prompt: "Verify." },
    { name: "tester", tools: ["read_file", "grep_search", "run_shell_command"], maxRounds: 5 },
    { name: "planner", description: "Plans", tools: ["search", "read", "web/fetch"] },
  ]);
  expect(agents[0]?.description).toContain('user: "done?"');
  expect(agents[1]).not.toHaveProperty("tools");
});

test("B6: agents of Codex are TOML files", async () => {
  await using place = await placeWith({
    "work/.codex/agents/explorer.toml":
      'name = "pr_explorer"\ndescription = "Maps the code."\nmodel = "gpt-x"\nsandbox_mode = "read-only"\ndeveloper_instructions = """\nStay in exploration mode.\n"""\n',
    "work/.codex/agents/broken.toml": "name = [",
  });
  const { agents, problems } = await agentDefinitions(place);
  expect(agents).toMatchObject([
    {
      name: "pr_explorer",
      description: "Maps the code.",
      model: "gpt-x",
      prompt: "Stay in exploration mode.",
    },
  ]);
  expect(problems).toEqual([
    expect.stringContaining("broken.toml is not offered: it is no well-formed TOML"),
  ]);
});

test("unsupported fields of an agent's front matter are reported with its file", async () => {
  await using place = await placeWith({
    "work/.claude/agents/db.md":
      "---\nname: db\ndescription: d\ntools: Bash\nmodel: sonnet\ncolor: red\nskills: [sql, psql]\nisolation: worktree\nhooks:\n  PreToolUse:\n    - matcher: Bash\n---\nAsk.",
    "work/.claude/agents/plain.md": "---\nname: plain\ndescription: d\nskills: []\nhooks: {}\n---\nLook.",
  });
  const { agents, problems } = await agentDefinitions(place);
  expect(agents.map(({ name }) => name)).toEqual(["db", "plain"]);
  expect(agents[0]).not.toHaveProperty("unheeded");
  expect(problems).toEqual([
    `${place.workspace}/.claude/agents/db.md: Its head is not followed in this: hooks (they stand in the configuration); skills sql, psql (it reads them with the tool \`skill\`, if it has that); isolation worktree (it works in this workspace).`,
  ]);
});

test("a user's agent takes precedence over a workspace's agent of the same name", async () => {
  await using place = await placeWith({
    "work/.claude/agents/a.md": "---\nname: a\n---\nworkspace",
    "home/.claude/agents/a.md": "---\nname: a\n---\nhome",
    "config/agents/b.md": "---\nname: b\nmodel: inherit\n---\nconfig",
  });
  const { agents } = await agentDefinitions(place);
  expect(agents.map(({ name, prompt, from }) => [name, prompt, from])).toEqual([
    ["b", "config", "user"],
    ["a", "home", "user"],
  ]);
  expect(agents[0]).not.toHaveProperty("model");
});

test("names and descriptions are reduced to one line without control or bidi characters", async () => {
  await using place = await placeWith({
    "work/.claude/agents/x.md": `---\nname: "a\\e[31mb\\nc"\ndescription: "d\\e]0;t\\a \\u202Ee"\n---\nX`,
  });
  const { agents } = await agentDefinitions(place);
  expect(agents[0]).toMatchObject({ name: "a[31mb-c", description: "d]0;t e" });
});

test("unreadable files and links out of the workspace are reported, and the other agents still load", async () => {
  await using place = await placeWith({ "outside.md": "---\nname: out\n---\nsecret" });
  const folder = join(place.workspace, ".toolwright/agents");
  await putFile(join(folder, "good.md"), "---\nname: good\n---\nfine");
  await putFile(join(folder, "binary.md"), new Uint8Array([0x2d, 0x2d, 0, 0xff, 1]));
  await putFile(join(folder, "latin.md"), new Uint8Array([0x2d, 0xe4, 0xf6]));
  await symlink(join(place.root, "outside.md"), join(folder, "link.md"));
  await symlink("/dev/zero", join(folder, "zero.md"));
  await symlink("nothing", join(folder, "dangling.md"));
  await putFile(join(folder, "folder.md/inner.md"), "---\nname: inner\n---\nx");
  const { agents, problems } = await agentDefinitions(place);
  expect(agents.map(({ name }) => name)).toEqual(["inner", "good"].toSorted().toReversed());
  expect(problems.toSorted().map((problem) => problem.replaceAll(place.workspace, ""))).toEqual([
    "/.toolwright/agents/binary.md was not read: it is no text (application/octet-stream).",
    "/.toolwright/agents/dangling.md was not read: it is a link that leads to nothing.",
    "/.toolwright/agents/latin.md was not read: it is no text (text that is not UTF-8).",
    "/.toolwright/agents/link.md was not read: it is a link that leads out of .",
    "/.toolwright/agents/zero.md was not read: it is a link that leads out of .",
  ]);
});

test("C9: tool names written for other agents resolve to our tools", () => {
  const names = (written: string[]) => toolsNamed(written, tools).tools.map(({ name }) => name);
  expect(names(["Read", "Grep", "Glob", "Bash"])).toEqual([
    "read_file",
    "list_files",
    "search_workspace",
    "run_command",
  ]);
  expect(names(["Edit", "MultiEdit", "Write", "TodoWrite", "LS"])).toEqual([
    "list_files",
    "write_file",
    "edit_file",
    "todos",
  ]);
  expect(names(["Bash(git log:*)", "execute"])).toEqual(["run_command"]);
  expect(names(["grep_search", "run_shell_command", "write_todos", "list_directory"])).toEqual([
    "list_files",
    "search_workspace",
    "run_command",
    "todos",
  ]);
  expect(names(["*"])).toHaveLength(tools.length);
  expect(toolsNamed(["Read", "NoSuchThing"], tools).unknown).toEqual(["NoSuchThing"]);
});

test.each([
  [["Bash"], ["run_command", "terminal"], ["edit_file", "write_file", "read_file"]],
  [
    ["bash", "write", "edit"],
    ["run_command", "terminal", "write_file", "edit_file", "apply_patch"],
    ["read_file"],
  ],
  [["Write"], ["write_file", "apply_patch", "apply_file_change"], ["edit_file", "run_command"]],
  [["Edit"], ["edit_file", "apply_patch"], ["write_file", "run_command"]],
  [["patch"], ["apply_patch", "apply_file_change"], ["edit_file", "write_file", "run_command"]],
  [["Read"], ["read_file"], ["list_files", "edit_file", "run_command"]],
  [["NoSuchThing"], [], ["run_command", "edit_file"]],
])("an agent denied %j is also denied the tools equivalent to it", (denied, gone, left) => {
  const names = toolsDenied(denied, tools).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(gone));
  for (const name of left) expect(names).not.toContain(name);
});

test("an MCP server's tools are denied only by their own names", () => {
  const theirs: Tool = { ...readFile, name: "mcp_git_push", aliases: [], does: "execute", definition: "x" };
  expect(toolsDenied(["Bash"], [...tools, theirs])).not.toContain(theirs);
  expect(toolsDenied(["mcp__git__push"], [...tools, theirs])).toEqual([theirs]);
});

test("opencode's primary agents are skipped, and permissions denied in a subagent are applied", async () => {
  await using place = await placeWith({
    "work/.opencode/agent/lead.md": "---\ndescription: Leads\nmode: primary\n---\nLead.",
    "work/.opencode/agent/look.md":
      '---\ndescription: Looks\nmode: subagent\npermission:\n  edit: deny\n  bash:\n    "*": deny\n    "git log*": allow\n  webfetch: allow\n---\nLook.',
  });
  const { agents } = await agentDefinitions(place);
  expect(agents).toMatchObject([{ name: "look", withoutTools: ["edit", "bash"] }]);
});
