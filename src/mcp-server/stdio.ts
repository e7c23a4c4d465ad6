/** The MCP server over standard input and output, for the program that started it. */

import type { Writable } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { inTime } from "../base/async.ts";
import { lineTransport } from "./lines.ts";
import type { McpServerContext } from "./mcp-server-context.ts";
import { mcpServer } from "./server.ts";

export type StdioStreams = { input: NodeJS.ReadableStream; output: Writable };

/** Resolves when the client has disconnected, or `stop` is aborted. */
export async function serveStreams(
  surface: McpServerContext,
  { input, output }: StdioStreams,
  stop: AbortSignal,
): Promise<void> {
  const transport = lineTransport(input, output);
  const handle = serveStdio(() => mcpServer(surface), {
    transport,
    onerror: (error) => surface.log(error.message),
  });
  await inTime(transport.gone, { signal: stop });
  await handle.close();
}
