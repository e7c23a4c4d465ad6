import { expect, test } from "vitest";
import type { Rule } from "../safety/rules.ts";
import { tools } from "../tools/index.ts";
import { namedRules } from "./named-rules.ts";

test("C3: rules find their tool by alias and in other spellings, and one without a tool is told", () => {
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
    'A rule of the user configuration is for "wirte_file", which is no tool: it holds for nothing. Name one of read_file, list_files, search_workspace, write_file, edit_file, run_command, or "*".',
  ]);
});
