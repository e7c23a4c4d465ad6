/** Where instruction files stand. Light on purpose: every session looks there, and most find little. */

import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Place } from "../part.ts";

/** Of a directory, in this order. */
export const names = [
  "AGENTS.md",
  "CLAUDE.md",
  ".claude/CLAUDE.md",
  "CLAUDE.local.md",
  "CODE.md",
  ".github/copilot-instructions.md",
] as const;

/** Where it is, it stands for the first of those. */
const override = "AGENTS.override.md";

/** Read where none of those is: they mostly repeat them for one agent. */
const otherNames = [
  "GEMINI.md",
  "AGENT.md",
  ".cursorrules",
  ".windsurfrules",
  ".clinerules",
  ".junie/guidelines.md",
] as const;

/**
 * Folders of the workspace with instructions for files of a kind, each with the name under which a head has the
 * patterns (`patterns`) or says that it holds for all (`always`). Where it says neither they hold always, or for nobody
 * unasked.
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

/** Those that are there, absolute. */
export const applyingIn = (workspace: string): string[] =>
  applyingFolders.map(({ path }) => join(workspace, path)).filter(isThere);

/** Of the user, for everything: the first that is there. Who has written one for us means that. */
export const globalFiles = ({ home, configDir }: Place): string[] => [
  join(configDir, "AGENTS.md"),
  join(home, ".claude", "CLAUDE.md"),
  join(home, ".codex", "AGENTS.md"),
  join(home, ".config", "opencode", "AGENTS.md"),
  join(home, ".gemini", "GEMINI.md"),
];

/**
 * The directories whose files hold for the workspace, outermost first and the workspace last: from the root of its
 * repository on; without one, from the home directory or the root of the file system.
 */
export function directoriesAbove({ workspace, home }: Pick<Place, "workspace" | "home">): string[] {
  const all = [workspace];
  for (let at = workspace; ; at = dirname(at)) {
    if (at !== workspace) all.unshift(at);
    if (isThere(join(at, ".git")) || at === home || dirname(at) === at) return all;
  }
}

/** Those of the files that are there, relative to the directory. */
export function filesOf(directory: string): string[] {
  const found = names.filter((name) => isThere(join(directory, name)));
  if (isThere(join(directory, override))) return [override, ...found.filter((name) => name !== "AGENTS.md")];
  return found.length > 0 ? found : otherNames.filter((name) => isFile(join(directory, name)));
}

/** Something is there, whatever it is. */
export const isThere = (path: string): boolean => whatIs(path) !== undefined;

/** What can be read, and no directory, pipe or device. */
export const isFile = (path: string): boolean => whatIs(path)?.isFile() ?? false;

/** Differs as soon as what is read there may be another text. */
export function signature(path: string): string {
  const found = whatIs(path);
  return found ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : "";
}

function whatIs(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // below a file, not to be searched, a circle of links
  }
}
