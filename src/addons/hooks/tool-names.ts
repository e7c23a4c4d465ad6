/** How hooks name tools: as we do, or as other agents call theirs. */

import type { Does } from "../../protocol/facts.ts";
import { looseName } from "../../protocol/tool-name.ts";
import { tools } from "../../tools/index.ts";
import type { Hook, KnownTool } from "./hook.ts";
import type { Matcher } from "./matcher.ts";

/** What others call tools of which ours have a name or an alias that is the same but for case and separators. */
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

/** A hook that watches over files or commands is not got around by another tool that does the same. */
const othersByDoing: Readonly<Record<Does, readonly string[]>> = {
  read: [],
  change: ["Edit", "Write", "MultiEdit"],
  execute: ["Bash"],
  delegate: ["Task", "Agent"],
};

/** What other agents call it: the usual name first. Tools of servers are called the same everywhere. */
function othersNames({ name, aliases, does }: KnownTool): readonly string[] {
  if (name.startsWith("mcp__")) return [];
  const own = new Set([name, ...aliases].map(looseName));
  const known = others.filter((other) => own.has(looseName(other)));
  return known.length > 0 ? known : othersByDoing[does];
}

/** Of our own form: `*` stands for anything. */
export function namedBy(patterns: readonly string[] | undefined): Hook["calls"] {
  const expressions = patterns?.map(
    (pattern) => new RegExp(`^${pattern.split("*").map(escaped).join("[^]*")}$`, "u"),
  );
  return (tool) => {
    const names = [tool.name, ...tool.aliases, ...othersNames(tool)];
    const fits = expressions?.some((one) => names.some((name) => one.test(name))) ?? true;
    return fits ? tool.name : undefined;
  };
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

/** Of other agents' form. The name that fits is the one that such a hook expects to hear. */
export function matchedBy({ fits }: Pick<Matcher, "fits">): Hook["calls"] {
  return (tool) => [...othersNames(tool), tool.name, ...tool.aliases].find(fits);
}

/** A rule of permissions, such as `Bash(git:*)`, where a tool's name is meant. */
export function isRule(matcher: string): boolean {
  const [, name = ""] = /^(\w+)\([^()]*\)$/u.exec(matcher) ?? [];
  const known = [...others, ...tools.flatMap((tool) => [tool.name, ...tool.aliases])];
  return known.includes(name);
}
