/** Reads the rules of the command line (`--allow`, `--deny`), written as in the configuration file. */

import type { Expected } from "../base/expected.ts";
import { type JsonObject, parseObject } from "../base/json.ts";
import type { Rule, RuleLayer } from "../safety/rules.ts";
import { tools as ownTools } from "../tools/index.ts";
import { partTools, sessionTools } from "./addon-tools.ts";
import { readConfigFile } from "./config-file.ts";
import { commandLine, namedRules } from "./named-rules.ts";

type GivenRules = Readonly<Record<"deny" | "allow", readonly string[]>>;

/**
 * Those of --deny first: within a layer, the first that matches counts. A rule that can never hold is a mistake: unlike
 * one of a file, it was meant for this run.
 */
export async function readGivenRules(given: GivenRules, tools = ownTools): Promise<Expected<RuleLayer>> {
  const rules: Rule[] = [];
  for (const decision of ["deny", "allow"] as const)
    for (const text of given[decision]) {
      const rule = await readGivenRule(text, decision);
      if (!rule.ok) return rule;
      rules.push(rule.value);
    }
  const layer = { name: commandLine, rules };
  const [problem] = namedRules([layer], [...tools, ...partTools, ...sessionTools]).warnings;
  return problem === undefined ? { ok: true, value: layer } : { ok: false, problem };
}

/**
 * A rule's JSON object without its `decision`, or the name of a tool alone. Anything else is a mistake: a command taken
 * for the name of a tool would be a rule that never holds.
 */
async function readGivenRule(text: string, decision: "allow" | "deny"): Promise<Expected<Rule>> {
  const wrong = (words: string): Expected<never> => ({
    ok: false,
    problem: `--${decision} must be ${words}`,
  });
  const given = /^[\w*-]+$/u.test(text) ? { ok: true as const, value: { tool: text } } : parseObject(text);
  if (!given.ok)
    return wrong(
      `the name of a tool, or a rule such as {"tool": "run_command", "command": "npm test *"}, not ${text}`,
    );
  const { decision: own = decision, ...rule }: JsonObject = given.value;
  if (own !== decision) return wrong(`a rule without another "decision", not ${text}`);
  const read = await readConfigFile(`--${decision}`, JSON.stringify({ rules: [{ ...rule, decision }] }));
  if (!read.ok) return { ok: false, problem: read.problem.replace(/^--(\w+):1: "rules\.0/u, '--$1: "rule') };
  const [only] = read.value.rules ?? [];
  return only ? { ok: true, value: only } : wrong("a rule");
}
