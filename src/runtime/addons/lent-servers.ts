/** Tool servers that a program lends to one of its sessions, such as an editor's, beside the configured ones. */

import { mcpOf } from "../../addons/mcp/part.ts";
import type { McpServers } from "../../addons/mcp/settings.ts";
import type { AddonOpener } from "../../addons/part.ts";
import { managerSetup, type ToolServersSetup } from "./tool-servers.ts";

export type { McpServers };

/** `lentTo`: a session's lent servers, by its id. They are run as the person's own: the program speaks for them. */
export const lentServers =
  (
    setup: Omit<ToolServersSetup, "configured">,
    lentTo: (session: string) => McpServers | undefined,
  ): AddonOpener =>
  (context) => {
    const mcpServers = lentTo(context.session);
    if (!mcpServers) return undefined;
    const configured = { user: { mcpServers }, workspace: {} };
    return mcpOf({ ...managerSetup({ ...setup, configured }), areLent: true }).part(context);
  };
