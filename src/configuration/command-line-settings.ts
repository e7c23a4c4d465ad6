/** What the command line itself brings beside values: rules of this run, the tools that the model gets, own prompts. */

import type { Expected } from "../base/expected.ts";
import type { RuleLevel } from "../safety/rules.ts";
import type { Tool } from "../tools/tool.ts";
import type { Arguments } from "./options/arguments.ts";
import type { OwnSystemPrompt } from "./own-system-prompt.ts";
import { pathOf, textOf, textsOf } from "./setting-values.ts";

type CommandLineSettings = {
  rules: RuleLevel[];
  tools: readonly string[] | undefined;
  system: OwnSystemPrompt;
};

export type CommandLineSources = {
  arguments: Pick<Arguments, "command" | "flags" | "environment" | "environmentProblem">;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** The tools that rules and --tools may name; Toolwright's own by default. */
  tools?: readonly Tool[];
};

/** Each part is loaded only if it is used. */
export async function readCommandLine(sources: CommandLineSources): Promise<Expected<CommandLineSettings>> {
  const rules = await givenRules(sources);
  if (!rules.ok) return rules;
  const tools = await givenTools(sources);
  if (!tools.ok) return tools;
  const system = await givenSystem(sources);
  if (!system.ok) return system;
  return { ok: true, value: { rules: rules.value, tools: tools.value, system: system.value } };
}

async function givenRules({
  arguments: { flags },
  tools,
}: CommandLineSources): Promise<Expected<RuleLevel[]>> {
  const { deny, allow } = flags;
  if (deny === undefined && allow === undefined) return { ok: true, value: [] };
  const { readGivenRules } = await import("./given-rule.ts");
  const level = await readGivenRules({ deny: textsOf(deny), allow: textsOf(allow) }, tools);
  return level.ok ? { ok: true, value: [level.value] } : level;
}

/** For `inspect`, the option names a file. */
async function givenTools(sources: CommandLineSources): Promise<Expected<string[] | undefined>> {
  const { command, flags } = sources.arguments;
  const names = command === "inspect" ? undefined : textOf(flags.tools);
  if (names === undefined) return { ok: true, value: undefined };
  return (await import("./given-tools.ts")).readGivenTools(names, sources.tools);
}

async function givenSystem({
  arguments: { flags },
  cwd,
  env,
}: CommandLineSources): Promise<Expected<OwnSystemPrompt>> {
  const instead = pathOf(flags.systemPromptFile, cwd, env);
  const added = pathOf(flags.appendSystemPromptFile, cwd, env);
  if (instead === undefined && added === undefined) return { ok: true, value: {} };
  return (await import("./own-system-prompt.ts")).readSystemPrompts({ instead, added });
}
