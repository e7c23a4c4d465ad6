/** Reads the rules of the command line (`--allow`, `--deny`), written as in the configuration file. */

import { type Expected, refuse } from "../base/expected.ts";
import { isObject, type JsonObject, parseObject } from "../base/json.ts";
import type { Rule, RuleLevel } from "../safety/rules.ts";
import { findTool, tools as ownTools } from "../tools/index.ts";
import type { Tool } from "../tools/tool.ts";
import { partTools, sessionTools } from "./addon-tools.ts";
import { readConfigFile } from "./config-file.ts";
import { commandLine, namedRules } from "./named-rules.ts";

type GivenRules = Readonly<Record<"deny" | "allow", readonly string[]>>;

/**
 * Those of --deny first: within a layer, the first that matches counts. A rule that can never hold is a mistake: unlike
 * one of a file, it was meant for this run.
 */
export async function readGivenRules(given: GivenRules, tools = ownTools): Promise<Expected<RuleLevel>> {
  const all = [...tools, ...partTools, ...sessionTools];
  const rules: Rule[] = [];
  for (const decision of ["deny", "allow"] as const)
    for (const text of given[decision]) {
      const rule = await readGivenRule(text, decision, all);
      if (!rule.ok) return rule;
      rules.push(rule.value);
    }
  const level = { name: commandLine, rules };
  const [problem] = namedRules([level], all).warnings;
  return problem === undefined ? { ok: true, value: level } : refuse(problem);
}

/**
 * The name of a tool, alone or with what the rule is about behind a colon, or a rule's JSON object without its
 * `decision`. Anything else is a mistake: a command taken for the name of a tool would be a rule that never holds.
 */
async function readGivenRule(
  text: string,
  decision: "allow" | "deny",
  tools: readonly Tool[],
): Promise<Expected<Rule>> {
  const wrong = (words: string): Expected<never> => refuse(`--${decision} must be ${words}`);
  const given = text.trimStart().startsWith("{") ? parseObject(text) : shortRule(text, tools);
  if (!given.ok)
    return wrong(
      `the name of a tool, perhaps with what it is about ('run_command:npm test *'), or a rule such as {"tool": "run_command", "command": "npm test *"}, not ${text}`,
    );
  const { decision: own = decision, ...rule }: JsonObject = given.value;
  if (own !== decision) return wrong(`a rule without another "decision", not ${text}`);
  const read = await readConfigFile(`--${decision}`, JSON.stringify({ rules: [{ ...rule, decision }] }));
  if (!read.ok) return refuse(read.problem.replace(/^--(\w+):1: "rules\.0/u, '--$1: "rule'));
  const [only] = read.value.rules ?? [];
  return only ? { ok: true, value: only } : wrong("a rule");
}

/** What stands behind the colon is a command, a host or a path, as suits the tool. */
function shortRule(text: string, tools: readonly Tool[]): Expected<JsonObject> {
  const [, tool, about] = /^([\w*-]+)(?::(.*))?$/su.exec(text) ?? [];
  if (tool === undefined) return notShort;
  if (about === undefined) return { ok: true, value: { tool } };
  const found = findTool(tools, tool);
  const key = found.ok ? keyOf(found.value) : undefined;
  if (key === undefined || about.trim() === "") return notShort;
  return { ok: true, value: { tool, [key]: about.trim() } };
}

const notShort: Expected<never> = refuse("it names no tool");

/** The condition that calls of this tool can be told apart by; undefined if there is none. */
function keyOf({ does, schema }: Tool): "command" | "host" | "path" | undefined {
  const { properties = {} } = schema;
  const takes = (name: string): boolean => isObject(properties) && name in properties;
  if (does === "execute") return "command";
  if (takes("url")) return "host";
  return does === "change" || takes("path") ? "path" : undefined;
}
