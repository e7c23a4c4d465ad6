/** How hooks name tools: as we do, or as other agents call theirs. */

import type { Does } from "../../protocol/facts.ts";
import { looseName } from "../../protocol/tool-name.ts";
import type { Hook, KnownTool } from "./hook.ts";

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

/**
 * Of other agents' form: an expression for the whole name; nothing and `*` are for all. The name by which it fits is
 * the one that such a hook expects to hear. The expression is looked at when it is first needed, because that may fail.
 */
export function matchedBy(matcher: string): Hook["calls"] {
  if (matcher === "" || matcher === "*") return (tool) => othersNames(tool)[0] ?? tool.name;
  const expression = new RegExp(`^(?:${matcher})$`, "u");
  return (tool) => [...othersNames(tool), tool.name, ...tool.aliases].find((name) => expression.test(name));
}
