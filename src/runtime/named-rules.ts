/** Rules by the tools' own names: one that says `bash`, as a model does, must not protect nothing. */
import type { Rule, RuleLayer } from "../safety/rules.ts";
import { findTool } from "../tools/index.ts";
import type { Tool } from "../tools/tool.ts";

/** The warnings are about rules that name no tool: they hold for nothing. */
export function namedRules(
  layers: readonly RuleLayer[],
  tools: readonly Tool[],
): { rules: RuleLayer[]; warnings: string[] } {
  const warnings: string[] = [];
  const named = (rule: Rule, layer: string): Rule => {
    if (rule.tool === "*") return rule;
    const found = findTool(tools, rule.tool);
    if (found.ok) return { ...rule, tool: found.value.name };
    const names = tools.map((tool) => tool.name).join(", ");
    warnings.push(
      `A rule of the ${layer} configuration is for "${rule.tool}", which is no tool: it holds for nothing. Name one of ${names}, or "*".`,
    );
    return rule;
  };
  const rules = layers.map(({ name, rules: list }) => ({
    name,
    rules: list.map((rule) => named(rule, name)),
  }));
  return { rules, warnings };
}
