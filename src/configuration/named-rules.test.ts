import { expect, test } from "vitest";
import type { Rule } from "../safety/rules.ts";
import { tools } from "../tools/index.ts";
import { sessionTools } from "./addon-tools.ts";
import { namedRules } from "./named-rules.ts";

test("C3: rules match their tool by alias and alternative spelling, and a rule for an unknown tool is reported", () => {
  const rules: Rule[] = [
    { tool: "bash", command: "rm*", decision: "deny" },
    { tool: "Write-File", decision: "ask" },
    { tool: "*", decision: "allow" },
    { tool: "wirte_file", decision: "deny" },
  ];
  const named = namedRules([{ name: "user", rules }], tools);
  expect(named.rules).toEqual([
    {
      name: "user",
      rules: [
        { tool: "run_command", command: "rm*", decision: "deny" },
        { tool: "write_file", decision: "ask" },
        { tool: "*", decision: "allow" },
        { tool: "wirte_file", decision: "deny" },
      ],
    },
  ]);
  expect(named.warnings).toEqual([
    'A rule of the user configuration is for "wirte_file", which is no tool: it holds for nothing. Name one of read_file, list_files, search_workspace, write_file, edit_file, apply_patch, run_command, terminal, read_result, ask_user, todos, delegate, propose_plan, apply_file_change, preview_write_file, preview_edit_file, or "*".',
  ]);
});

test("rules that can never match are reported: an allow of several commands, a command for a tool that runs none", () => {
  const rules: Rule[] = [
    { tool: "run_command", command: "npm ci && npm test", decision: "allow" },
    { tool: "run_command", command: "curl*|*sh", decision: "deny" },
    { tool: "edit_file", command: "npm *", decision: "deny" },
  ];
  expect(namedRules([{ name: "user", rules }], tools).warnings).toEqual([
    'A rule of the user configuration allows "npm ci && npm test", which no command is: each command of a line is matched by itself, as its words are without quotes. Write a rule for each.',
    'A rule of the user configuration has a command, but "edit_file" runs none: it holds for nothing. Leave one of both out.',
  ]);
});

test("a rule may name tools that only some sessions have, and tools of servers", () => {
  const rules: Rule[] = ["read_resource", "search_tools", "use_skill", "mcp__s__x"].map((tool) => ({
    tool,
    decision: "deny",
  }));
  const named = namedRules([{ name: "user", rules }], [...tools, ...sessionTools]);
  expect(named.warnings).toEqual([]);
  expect(named.rules[0]?.rules.map(({ tool }) => tool)).toEqual([
    "read_resource",
    "search_tools",
    "skill",
    "mcp__s__x",
  ]);
});
