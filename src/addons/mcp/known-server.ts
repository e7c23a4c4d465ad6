/** A configured server together with its runtime state. */

import type { Drift } from "./drift.ts";
import type { McpServer } from "./server.ts";
import type { McpServerSettings } from "./settings.ts";

/** `problem`: why it cannot be started at all. */
export type KnownMcpServer = {
  name: string;
  where: string;
  settings: McpServerSettings;
  problem?: string;
  server: McpServer;
  drift: Drift;
  isTrusted: () => boolean;
};

/** A notice for people. */
export type Notice = { code: string; text: string };
