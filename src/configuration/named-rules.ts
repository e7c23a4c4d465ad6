/**
 * Maps tool names in rules to the tools' own names, so that a rule for `bash`, as models say, is not silently
 * ineffective.
 */

import type { Rule, RuleLevel } from "../safety/rules.ts";
import { findTool } from "../tools/index.ts";
import type { Tool } from "../tools/tool.ts";

/** Warns about rules whose tool name matches nothing, since they have no effect. */
export function namedRules(
  levels: readonly RuleLevel[],
  tools: readonly Tool[],
): { rules: RuleLevel[]; warnings: string[] } {
  const warnings: string[] = [];
  const named = (rule: Rule, level: string): Rule => {
    const warn = (problem: string): void =>
      void warnings.push(
        `${level === commandLine ? "A rule of --allow or --deny" : `A rule of the ${level} configuration`} ${problem}`,
      );
    if (hidesCommands(rule)) warn(neverAllows(rule.command ?? ""));
    // The tools of servers are known only once the servers are started.
    if (rule.tool.includes("*") || rule.tool.startsWith(ofServers)) return rule;
    const found = findTool(tools, rule.tool);
    if (found.ok && rule.command !== undefined && found.value.does !== "execute")
      warn(
        `has a command, but "${found.value.name}" runs none: it holds for nothing. Leave one of both out.`,
      );
    if (found.ok) return { ...rule, tool: found.value.name };
    const names = tools.map((tool) => tool.name).join(", ");
    warn(`is for "${rule.tool}", which is no tool: it holds for nothing. Name one of ${names}, or "*".`);
    return rule;
  };
  const rules = levels.map(({ name, rules: list }) => ({
    name,
    rules: list.map((rule) => named(rule, name)),
  }));
  return { rules, warnings };
}

/** The layer of the rules of this run. */
export const commandLine = "command-line";

export const ofServers = "mcp__";

/** A denial is also matched against the whole command line. */
const hidesCommands = ({ command, decision }: Rule): boolean =>
  decision === "allow" && command !== undefined && /[;|"'\n]|&&/u.test(command);

const neverAllows = (command: string): string =>
  `allows "${command}", which no command is: each command of a line is matched by itself, as its words are without quotes. Write a rule for each.`;
