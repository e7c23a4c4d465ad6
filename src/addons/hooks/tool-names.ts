/** Matches the tool names in hooks, ours or other agents', to tools. */

import { fitsPattern } from "../../base/star-pattern.ts";
import type { Does } from "../../protocol/facts.ts";
import { looseName } from "../../protocol/tool-name.ts";
import { tools } from "../../tools/index.ts";
import type { Hook, KnownTool } from "./hook.ts";
import type { Matcher } from "./matcher.ts";

/** Other agents' tools whose name equals a name or alias of ours, ignoring case and separators. */
const others = [
  "Bash",
  "Edit",
  "MultiEdit",
  "Write",
  "Read",
  "Grep",
  "Glob",
  "LS",
  "TodoWrite",
  "ExitPlanMode",
  "AskUserQuestion",
  "WebFetch",
  "WebSearch",
  "Task",
  "Agent",
  "Skill",
] as const;

/** Matches by what a tool does, so that a guard on files or commands cannot be bypassed by an equivalent tool. */
const othersByDoing: Readonly<Record<Does, readonly string[]>> = {
  read: [],
  change: ["Edit", "Write", "MultiEdit"],
  execute: ["Bash"],
  delegate: ["Task", "Agent"],
};

/** Other agents' names for a tool, the usual one first. Tools of MCP servers have the same name everywhere. */
function othersNames({ name, aliases, does }: KnownTool): readonly string[] {
  if (name.startsWith("mcp__")) return [];
  const own = new Set([name, ...aliases].map(looseName));
  const known = others.filter((other) => own.has(looseName(other)));
  return known.length > 0 ? known : othersByDoing[does];
}

/** Patterns of our own format: `*` matches anything. */
export function namedBy(patterns: readonly string[] | undefined): Hook["calls"] {
  return (tool) => {
    const names = [tool.name, ...tool.aliases, ...othersNames(tool)];
    const fits = patterns?.some((one) => names.some((name) => fitsPattern(one, name))) ?? true;
    return fits ? tool.name : undefined;
  };
}

/** Matchers of other agents. The name that matched is the one that such a hook expects in its input. */
export function matchedBy({ fits }: Pick<Matcher, "fits">): Hook["calls"] {
  return (tool) => [...othersNames(tool), tool.name, ...tool.aliases].find(fits);
}

/** A permission rule such as `Bash(git:*)` in place of a tool name. */
export function isRule(matcher: string): boolean {
  const [, name = ""] = /^(\w+)\([^()]*\)$/u.exec(matcher) ?? [];
  const known = [...others, ...tools.flatMap((tool) => [tool.name, ...tool.aliases])];
  return known.includes(name);
}
