/** The files in which workspaces define MCP servers for agents and editors. */

import { join } from "node:path";
import { statsBehind } from "../../base/paths.ts";

/** Relative to the workspace, with the key that holds the servers. */
export const serverFiles = [
  { path: ".mcp.json", key: "mcpServers" },
  { path: ".vscode/mcp.json", key: "servers" },
  { path: ".cursor/mcp.json", key: "mcpServers" },
  { path: ".gemini/settings.json", key: "mcpServers" },
  { path: ".codex/config.toml", key: "mcp_servers" },
  { path: "opencode.json", key: "mcp" },
  { path: "opencode.jsonc", key: "mcp" },
] as const;

/** Costs one stat per file where there are none. */
export const bringsServers = (workspace: string): boolean =>
  serverFiles.some(({ path }) => statsBehind(join(workspace, path))?.isFile() === true);
