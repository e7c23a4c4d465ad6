/** The files in which workspaces bring servers along for agents and editors. */

import { statSync } from "node:fs";
import { join } from "node:path";

/** Relative to the workspace, with the key under which servers stand. */
export const serverFiles = [
  { path: ".mcp.json", key: "mcpServers" },
  { path: ".vscode/mcp.json", key: "servers" },
  { path: ".cursor/mcp.json", key: "mcpServers" },
  { path: ".gemini/settings.json", key: "mcpServers" },
  { path: ".codex/config.toml", key: "mcp_servers" },
  { path: "opencode.json", key: "mcp" },
  { path: "opencode.jsonc", key: "mcp" },
] as const;

/** Costs a look at each where there is nothing. */
export const bringsServers = (workspace: string): boolean =>
  serverFiles.some(
    ({ path }) => statSync(join(workspace, path), { throwIfNoEntry: false })?.isFile() === true,
  );
