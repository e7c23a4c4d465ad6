/** All tools of our own, and finding one by what a model calls it. */
import type { Parsed } from "../base/json.ts";
import { editFile } from "./edit-file.ts";
import { looseName } from "./input.ts";
import { listFiles } from "./list-files.ts";
import { readFile } from "./read-file.ts";
import { runCommand } from "./run-command.ts";
import { searchWorkspace } from "./search-workspace.ts";
import type { Tool } from "./tool.ts";
import { writeFile } from "./write-file.ts";

export const tools: readonly Tool[] = [readFile, listFiles, searchWorkspace, writeFile, editFile, runCommand];

/** Namespaces that models put before a name out of habit. */
const prefixes = /^(?:functions|default_api|tools)[.:]/;

/** By name, by alias, without a known prefix, or by the one name that is the same but for case and separators. */
export function findTool(among: readonly Tool[], name: string): Parsed<Tool> {
  const bare = name.trim().replace(prefixes, "");
  const found = exactly(among, name) ?? exactly(among, bare) ?? loosely(among, bare);
  if (found) return { ok: true, value: found };
  const names = among.map((tool) => tool.name).join(", ");
  return {
    ok: false,
    problem: `ERROR: The tool "${name}" does not exist. The tools that exist: ${names || "none"}.`,
  };
}

function exactly(among: readonly Tool[], name: string): Tool | undefined {
  return among.find((tool) => tool.name === name) ?? among.find((tool) => tool.aliases.includes(name));
}

function loosely(among: readonly Tool[], name: string): Tool | undefined {
  const loose = looseName(name);
  const close = among.filter((tool) =>
    [tool.name, ...tool.aliases].some((known) => looseName(known) === loose),
  );
  return close.length === 1 ? close[0] : undefined;
}
