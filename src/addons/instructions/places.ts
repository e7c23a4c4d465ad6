/** The locations of instruction files. Kept light, because every session checks them and most find little. */

import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { directoryGlance } from "../../base/directory-glance.ts";
import { attempt } from "../../base/expected.ts";
import { isFile, statsBehind } from "../../base/paths.ts";
import type { AddonDirectories } from "../part.ts";

/** Read in each directory, in this order. */
export const names = [
  "AGENTS.md",
  "CLAUDE.md",
  ".claude/CLAUDE.md",
  "CLAUDE.local.md",
  "CODE.md",
  ".github/copilot-instructions.md",
] as const;

/** Replaces AGENTS.md where it is present. */
const override = "AGENTS.override.md";

/** Read only where none of `names` is present: most of them repeat the same text for one agent. */
const otherNames = [
  "GEMINI.md",
  "AGENT.md",
  ".cursorrules",
  ".windsurfrules",
  ".clinerules",
  ".junie/guidelines.md",
] as const;

/**
 * A workspace folder whose instructions apply by pattern. `patterns` and `always` are the front matter fields with the
 * globs and the "applies always" mark; `unsaid` is the default if neither is set.
 */
export type ApplyingFolder = {
  path: string;
  suffix: string;
  patterns: string;
  always?: string;
  unsaid: "always" | "never";
};

export const applyingFolders: readonly ApplyingFolder[] = [
  { path: ".github/instructions", suffix: ".instructions.md", patterns: "applyTo", unsaid: "never" },
  { path: ".claude/rules", suffix: ".md", patterns: "paths", unsaid: "always" },
  { path: ".cursor/rules", suffix: ".mdc", patterns: "globs", always: "alwaysApply", unsaid: "never" },
  { path: ".windsurf/rules", suffix: ".md", patterns: "globs", always: "trigger", unsaid: "always" },
  { path: ".clinerules", suffix: ".md", patterns: "paths", unsaid: "always" },
  { path: ".roo/rules", suffix: ".md", patterns: "paths", unsaid: "always" },
  { path: ".continue/rules", suffix: ".md", patterns: "globs", always: "alwaysApply", unsaid: "always" },
  {
    path: ".kiro/steering",
    suffix: ".md",
    patterns: "fileMatchPattern",
    always: "inclusion",
    unsaid: "always",
  },
];

/** The folders that exist, absolute. */
export const applyingIn = (workspace: string): string[] => {
  const missing = missingIn(workspace);
  return applyingFolders
    .filter(({ path }) => !missing.has(firstOf(path)))
    .map(({ path }) => join(workspace, path))
    .filter(isThere);
};

/** The user's instructions for all workspaces: the first that exists, ours before those of other agents. */
export const globalFiles = ({ home, configDir }: AddonDirectories): string[] => [
  join(configDir, "AGENTS.md"),
  join(home, ".claude", "CLAUDE.md"),
  join(home, ".codex", "AGENTS.md"),
  join(home, ".config", "opencode", "AGENTS.md"),
  join(home, ".gemini", "GEMINI.md"),
];

/**
 * The directories whose files apply to the workspace, outermost first and the workspace last: starting at the
 * repository root, or else at the home directory or the root of the file system.
 */
export function directoriesAbove({
  workspace,
  home,
}: Pick<AddonDirectories, "workspace" | "home">): string[] {
  const all = [workspace];
  for (let at = workspace; ; at = dirname(at)) {
    if (at !== workspace) all.unshift(at);
    if (isThere(join(at, ".git")) || at === home || dirname(at) === at) return all;
  }
}

/** The instruction files present in the directory, relative to it. */
export function filesOf(directory: string): string[] {
  const missing = missingIn(directory);
  const mayBe = (name: string): boolean => !missing.has(firstOf(name));
  const found = names.filter((name) => mayBe(name) && isThere(join(directory, name)));
  if (mayBe(override) && isThere(join(directory, override)))
    return [override, ...found.filter((name) => name !== "AGENTS.md")];
  return found.length > 0 ? found : otherNames.filter((name) => mayBe(name) && isFile(join(directory, name)));
}

const firstOf = (path: string): string => path.split("/", 1)[0] ?? path;

/** Of all that can hold instructions: the names that are not in the directory. Nothing is below them either. */
const missingIn = directoryGlance((directory): ReadonlySet<string> => {
  const all = [...names, override, ...otherNames, ...applyingFolders.map(({ path }) => path)];
  const first = new Set(all.map(firstOf));
  return new Set([...first].filter((name) => isMissing(join(directory, name))));
});

/** Nothing of this name: a link to nothing, whose target may come, is something. */
const isMissing = (path: string): boolean =>
  attempt(() => lstatSync(path, { throwIfNoEntry: false }) === undefined) ?? false;

/** Whether anything exists there, of whatever type. */
export const isThere = (path: string): boolean => statsBehind(path) !== undefined;
