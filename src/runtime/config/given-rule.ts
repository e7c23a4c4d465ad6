/** Reads a rule from the command line (`--allow`, `--deny`), as the configuration file has it. */

import type { Expected } from "../../base/expected.ts";
import { type JsonObject, parseObject } from "../../base/json.ts";
import type { Rule } from "../../safety/rules.ts";
import { readConfigFile } from "./config-file.ts";

/**
 * A rule's JSON object without its `decision`, or the name of a tool alone. Anything else is a mistake: a command taken
 * for the name of a tool would be a rule that never holds.
 */
export async function readGivenRule(text: string, decision: "allow" | "deny"): Promise<Expected<Rule>> {
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
