/** The MCP server over HTTP on this computer (streamable HTTP), for any number of clients with its token. */

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Expected } from "../base/expected.ts";
import { openPort, urlHost } from "../base/listening.ts";
import {
  bearerOf,
  hostProblem,
  loopbackHosts,
  originProblem,
  type RawHeaders,
  sameToken,
  targetProblem,
} from "../base/server-guard.ts";
import { ConnectedClients } from "./clients.ts";
import { readBody, refusal } from "./http-body.ts";
import type { McpServerContext } from "./mcp-server-context.ts";
import { mcpServer } from "./server.ts";

/** Connections to the MCP server. */
const mostConnections = 64;
/** Wait for the headers of a request to the MCP server, in milliseconds. */
const headersTimeMs = 10_000;
/** Wait for a whole request to the MCP server, in milliseconds. */
const requestTimeMs = 30_000;

export type HttpOptions = { host: string; port: number; token: string };

export type McpHttp = {
  /** Like "http://127.0.0.1:4747/mcp". */
  url: string;
  close(): Promise<void>;
};

const path = "/mcp";

/** The problem is one line: what happened and what to do next. */
export async function serveHttp(surface: McpServerContext, options: HttpOptions): Promise<Expected<McpHttp>> {
  const make = () => mcpServer(surface);
  const modern = createMcpHandler(make, { legacy: "reject", onerror: (error) => surface.log(error.message) });
  const clients = new ConnectedClients(make);
  let hosts: readonly string[] = [];
  const answer = async (request: Request, raw: RawHeaders, target: string | undefined): Promise<Response> => {
    const refused = guard(request, { raw, target, hosts, token: options.token });
    if (refused) return refused;
    const body =
      request.method === "POST" ? await readBody(request) : { ok: true as const, value: undefined };
    if (!body.ok) return body.refusal;
    const isLegacy = request.method !== "POST" || (await isLegacyRequest(request, body.value));
    return isLegacy ? clients.answer(request, body.value) : modern.fetch(request, { parsedBody: body.value });
  };
  const server = listener(answer);
  const opened = await openPort(server, options);
  if (!opened.ok) return opened;
  const port = opened.value;
  hosts = loopbackHosts(port);
  return {
    ok: true,
    value: {
      url: `http://${urlHost(options.host)}:${port}${path}`,
      async close() {
        const closed = once(server, "close");
        server.close();
        await Promise.allSettled([modern.close(), clients.close()]);
        server.closeAllConnections();
        await closed;
      },
    },
  };
}

type GuardContext = { raw: RawHeaders; target: string | undefined; hosts: readonly string[]; token: string };

/** Runs before any of the body is read. */
function guard(request: Request, { raw, target, hosts, token }: GuardContext): Response | undefined {
  const foreign = targetProblem(target) ?? hostProblem(raw, hosts) ?? originProblem(raw, []);
  if (foreign !== undefined) return refusal(403, foreign);
  const given = bearerOf(request.headers.get("authorization") ?? undefined);
  if (given === undefined || !sameToken(given, token)) {
    const words =
      "This server needs its token: send it as `Authorization: Bearer …`. It told where it is when it started.";
    return refusal(401, words, { "www-authenticate": "Bearer" });
  }
  if (new URL(request.url).pathname !== path)
    return refusal(404, `There is nothing here; the server is at ${path}.`);
  return undefined;
}

type RequestHandler = (request: Request, raw: RawHeaders, target: string | undefined) => Promise<Response>;

function listener(answer: RequestHandler): Server {
  const listen = getRequestListener(
    (request, { incoming }) => answer(request, incoming.rawHeaders, incoming.url),
    {
      overrideGlobalObjects: false,
    },
  );
  const server = createServer(
    {
      headersTimeout: headersTimeMs,
      requestTimeout: requestTimeMs,
      connectionsCheckingInterval: headersTimeMs / 4,
      noDelay: true,
    },
    (incoming, outgoing) => void listen(incoming, outgoing),
  );
  server.maxConnections = mostConnections;
  return server;
}
