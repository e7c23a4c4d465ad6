/** What every part of the MCP server is given. */

import type { Mode } from "../../protocol/facts.ts";
import type { SessionHost } from "../../runtime/hosting/session-host.ts";
import type { Tool } from "../../tools/tool.ts";
import type { DirectCalls } from "./direct-calls.ts";
import type { Unanswered } from "./unanswered.ts";

export type McpRoom = {
  /** The sessions that work on tasks. */
  host: SessionHost;
  /** The calls of tools that a client makes itself. */
  calls: DirectCalls;
  /** Our tools that depend on what the workspace holds and the user has configured, as they are now. */
  toolsHere(): Promise<readonly Tool[]>;
  /** Absolute and real: sessions of other workspaces are nobody's business here. */
  workspace: string;
  /** The loosest mode in which anything is done. */
  mode: Mode;
  version: string;
  unanswered: Unanswered;
  /** Signs what a client has to bring back; 256 bits. */
  key: Uint8Array;
  /** Tasks that are worked on now, by session. */
  tasks: Set<string>;
  log(line: string): void;
};
