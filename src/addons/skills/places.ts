/** The folders of skills, commands and agents: ours, and those that other agents established. */

import { opendir } from "node:fs/promises";
import { join } from "node:path";
import type { AddonDirectories } from "../part.ts";
import { mostFolderEntries } from "./bounds.ts";

type From = "user" | "workspace";
/** `suffix`: the ending of its files' names; `shown` replaces it in messages. */
export type Folder = { path: string; from: From; suffix: string };

const below = (root: string, from: From, suffix: string, names: readonly string[]): Folder[] =>
  names.map((name) => ({ path: join(root, name), from, suffix }));

/** The user's own first: they win over equal names. */
export const skillFolders = ({ workspace, home, configDir }: AddonDirectories): Folder[] => [
  ...below(configDir, "user", "", ["skills"]),
  ...below(home, "user", "", [
    ".claude/skills",
    ".agents/skills",
    ".codex/skills",
    ".copilot/skills",
    ".cursor/skills",
    ".gemini/skills",
    ".config/opencode/skill",
    ".config/opencode/skills",
  ]),
  ...below(workspace, "workspace", "", [
    ".toolwright/skills",
    ".claude/skills",
    ".agents/skills",
    ".github/skills",
    ".codex/skills",
    ".cursor/skills",
    ".gemini/skills",
    ".opencode/skill",
    ".opencode/skills",
  ]),
];

export const commandFolders = ({ workspace, home, configDir }: AddonDirectories): Folder[] => [
  ...below(configDir, "user", ".md", ["commands"]),
  ...below(home, "user", ".md", [
    ".claude/commands",
    ".codex/prompts",
    ".cursor/commands",
    ".config/opencode/command",
    ".config/opencode/commands",
  ]),
  ...below(home, "user", ".toml", [".gemini/commands"]),
  ...below(workspace, "workspace", ".md", [
    ".toolwright/commands",
    ".claude/commands",
    ".cursor/commands",
    ".opencode/command",
    ".opencode/commands",
  ]),
  ...below(workspace, "workspace", ".prompt.md", [".github/prompts"]),
  ...below(workspace, "workspace", ".toml", [".gemini/commands"]),
];

export const agentFolders = ({ workspace, home, configDir }: AddonDirectories): Folder[] => [
  ...below(configDir, "user", ".md", ["agents"]),
  ...below(home, "user", ".md", [
    ".claude/agents",
    ".config/opencode/agent",
    ".config/opencode/agents",
    ".cursor/agents",
    ".gemini/agents",
  ]),
  ...below(home, "user", ".agent.md", [".copilot/agents"]),
  ...below(home, "user", ".toml", [".codex/agents"]),
  ...below(workspace, "workspace", ".md", [
    ".toolwright/agents",
    ".claude/agents",
    ".opencode/agent",
    ".opencode/agents",
    ".cursor/agents",
    ".gemini/agents",
  ]),
  ...below(workspace, "workspace", ".agent.md", [".github/agents"]),
  ...below(workspace, "workspace", ".toml", [".codex/agents"]),
];

/** `name`: its subfolders and its file name without the suffix, joined by ":". */
export type FileIn = Folder & { name: string };

/** The files of a folder and its subfolders, sorted by name, without following links to folders. */
export async function filesIn(folder: Folder): Promise<FileIn[]> {
  const found: FileIn[] = [];
  await gather(folder, { names: [], found });
  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

const deepest = 4;

async function gather(folder: Folder, into: { names: string[]; found: FileIn[] }): Promise<void> {
  const { names, found } = into;
  for (const entry of await entriesOf(folder.path)) {
    if (found.length >= mostFolderEntries) return;
    const path = join(folder.path, entry.name);
    if (entry.kind === "folder" && names.length < deepest && !entry.name.startsWith("."))
      await gather({ ...folder, path }, { names: [...names, entry.name], found });
    const bare = entry.name.slice(0, -folder.suffix.length);
    if (entry.kind !== "folder" && entry.name.endsWith(folder.suffix) && bare !== "")
      found.push({ ...folder, path, name: [...names, bare].join(":") });
  }
}

/** Unsorted; a link may lead to a file or a folder. Empty if the folder does not exist. */
export async function entriesOf(path: string): Promise<{ name: string; kind: "file" | "folder" | "link" }[]> {
  const entries: { name: string; kind: "file" | "folder" | "link" }[] = [];
  try {
    for await (const entry of await opendir(path)) {
      if (entries.length >= mostFolderEntries) break;
      const { name } = entry;
      if (entry.isDirectory()) entries.push({ name, kind: "folder" });
      else if (entry.isSymbolicLink()) entries.push({ name, kind: "link" });
      else if (entry.isFile()) entries.push({ name, kind: "file" });
    }
  } catch {
    return entries; // missing or not readable
  }
  return entries;
}
