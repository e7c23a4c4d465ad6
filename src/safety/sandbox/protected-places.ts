/**
 * Names in a workspace whose contents are later executed outside the sandbox: git's own, and editor and agent settings.
 */

const places = new Set([
  ".husky",
  ".toolwright",
  // Editors: tasks, launch configurations, interpreters, language servers.
  ".vscode",
  ".vscode-insiders",
  ".idea",
  ".fleet",
  ".zed",
  ".nova",
  ".theia",
  ".devcontainer",
  ".devcontainer.json",
  ".exrc",
  ".nvimrc",
  ".nvim.lua",
  ".vimrc",
  ".lvimrc",
  ".dir-locals.el",
  // Agents: hooks, servers that they start, permissions.
  ".mcp.json",
  ".claude",
  ".cursor",
  ".codex",
  ".gemini",
  ".opencode",
  "opencode.json",
  "opencode.jsonc",
  ".windsurf",
  ".continue",
  ".roo",
  ".roomodes",
  ".cline",
  ".clinerules",
  ".kiro",
  ".amazonq",
  ".junie",
  ".trae",
  ".crush.json",
  "crush.json",
  ".goose",
  ".aider.conf.yml",
  ".qwen",
  ".factory",
  ".augment",
  // Sourced by shells on entering the directory.
  ".envrc",
  ".mise.toml",
  "mise.toml",
  ".mise",
  ".autoenv",
]);

/** Whether a name is protected at any depth, in any spelling that some file system treats as the same. */
export function isProtectedName(name: string): boolean {
  const plain = name.normalize("NFC").toLowerCase();
  return places.has(plain) || plain.endsWith(".code-workspace");
}

/** `.git` as a directory, or as the file of a worktree or submodule. */
export const isGitName = (name: string): boolean => name.toLowerCase() === ".git";

/** Whether a directory with these entries is a bare repository, whose settings git also obeys. */
export function looksLikeRepository(entries: ReadonlySet<string>): boolean {
  return entries.has("HEAD") && entries.has("objects") && entries.has("refs");
}

/** Directories that hold only downloaded or built files: too large to scan, and never opened as a project. */
export const skippedDirectories: ReadonlySet<string> = new Set([
  "node_modules",
  ".venv",
  "__pycache__",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".tox",
  ".gradle",
  ".turbo",
  ".nx",
  ".next",
  ".pnpm-store",
  ".yarn",
]);
