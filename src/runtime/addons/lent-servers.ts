/** Tool servers that a program lends to its sessions, such as an editor's, beside the configured ones. */

import { LentServers } from "../../addons/mcp/lent-servers.ts";
import { version } from "../../configuration/options/version.ts";

export type { LentServers } from "../../addons/mcp/lent-servers.ts";
export type { McpServers } from "../../addons/mcp/settings.ts";

/** Nothing is lent yet. */
export const nothingLent = (): LentServers => new LentServers(version);
