/** The tool servers that an editor names, as our settings. */

import type { McpServer } from "@agentclientprotocol/sdk";
import type { McpServers } from "../runtime/addons/lent-servers.ts";

/** Their names begin with `editor-`, so that none takes the place of a configured one. */
export const lentServersFrom = (servers: readonly McpServer[] = []): McpServers =>
  Object.fromEntries(servers.map((server) => [nameOf(server.name), settingsOf(server)]));

const nameOf = (name: string): string => `editor-${name.replaceAll(/[^\w.-]+/gu, "_")}`.slice(0, 64);

function settingsOf(server: McpServer): McpServers[string] {
  if ("type" in server) return { type: server.type, url: server.url, headers: recordOf(server.headers) };
  return { command: server.command, args: server.args, env: recordOf(server.env) };
}

const recordOf = (pairs: readonly { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
