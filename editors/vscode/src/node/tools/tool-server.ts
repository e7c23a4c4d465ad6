/** Offers the editor's tools to the core as an MCP server on the loopback, with a token. */

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/server";
import { randomHex } from "../../../../../src/base/crypto.ts";
import { errorMessage } from "../../../../../src/base/expected.ts";
import { isObject } from "../../../../../src/base/json.ts";
import {
  bearerOf,
  hostProblem,
  loopbackHosts,
  originProblem,
  type RawHeaders,
  sameToken,
  targetProblem,
} from "../../../../../src/base/server-guard.ts";
import { withoutUndefined } from "../../../../../src/base/without-undefined.ts";
import { progressFor } from "../../../../../src/mcp-server/progress.ts";
import { ChangeWatch } from "../../common/tools/change-watch.ts";
import type { EditorPowers } from "../../common/tools/editor-powers.ts";
import { type EditorTool, type EditorToolAnswer, failed } from "../../common/tools/editor-tool.ts";
import { listenOnOwnPort } from "./own-ports.ts";

/** How a session reaches the server: an entry of `mcpServers`, which its creator vouches for. */
export type LentToolServer = {
  type: "http";
  url: string;
  headers: { authorization: string };
  /** What the server says of its tools is believed. */
  reads: true;
  /** Tools that the user does not want. */
  withoutTools?: string[];
};

export type EditorToolServer = { lent: LentToolServer; close(): Promise<void> };

type ToolServerOptions = { version: string; log: (problem: string) => void };

/** Connections of cores: each call is a request of its own. */
const mostConnections = 32;
const path = "/mcp";

export async function startToolServer(
  powers: EditorPowers,
  options: ToolServerOptions,
): Promise<EditorToolServer> {
  const parts = await loadParts();
  const token = randomHex(32);
  const watch = new ChangeWatch(powers);
  const make = (): McpServer => mcpServer(parts, { powers, watch }, options);
  const handler = parts.createMcpHandler(make, { onerror: ({ message }) => options.log(message) });
  let hosts: readonly string[] = [];
  const server = listener(parts, async (request, raw, target) => {
    const refused = refusal(request, { raw, target, hosts, token });
    return refused ?? handler.fetch(request);
  });
  await listenOnOwnPort(server);
  const port = portOf(server);
  hosts = loopbackHosts(port);
  return {
    lent: {
      type: "http",
      url: `http://127.0.0.1:${port}${path}`,
      headers: { authorization: `Bearer ${token}` },
      reads: true,
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      await handler.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Parts = Awaited<ReturnType<typeof loadParts>>;

/** One after the other: at once they would keep the thread, which other extensions share, for too long. */
async function loadParts() {
  const protocol = await import("@modelcontextprotocol/server");
  await nextTurn();
  const http = await import("@hono/node-server");
  await nextTurn();
  const tools = await import("../../common/tools/editor-tools.ts");
  return { ...protocol, ...http, ...tools };
}

function mcpServer(
  { McpServer: Protocol, editorTools }: Parts,
  over: { powers: EditorPowers; watch: ChangeWatch },
  { version, log }: ToolServerOptions,
): McpServer {
  const mcp = new Protocol(
    { name: "editor", title: "Editor", version },
    { capabilities: { tools: { listChanged: false } } },
  );
  const { server } = mcp;
  server.setRequestHandler("tools/list", () => ({ tools: editorTools.map(toldTool) }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = editorTools.find(({ name }) => name === params.name);
    if (!tool) return answer(failed("There is no such tool."));
    const progress = progressFor(context); // who hears nothing for a minute gives the call up
    try {
      const { signal } = context.mcpReq;
      return answer(await tool.run(params.arguments ?? {}, { ...over, signal }));
    } catch (error) {
      log(`${tool.name}: ${errorMessage(error)}`);
      return answer(failed(`The editor could not do that: ${errorMessage(error)}`));
    } finally {
      progress.end();
    }
  });
  return mcp;
}

const answer = ({ ok, text, checked }: EditorToolAnswer) => ({
  content: [{ type: "text" as const, text }],
  isError: !ok,
  ...(checked === undefined ? {} : { _meta: { [checkedKey]: [...checked] } }),
});

/** Where a tool says at which point of a change the core calls it, instead of showing it to the model. */
export const pointKey = "toolwright/point";
/** Where it says why a person is asked about each of its calls. */
const askedKey = "toolwright/asked-each-time";
/** Where an answer at the end of a change says which files the editor has checked, so that the core does not. */
const checkedKey = "toolwright/checked";

const toldTool = ({ name, title, description, schema, does, point, askedEachTime }: EditorTool) => ({
  name,
  title,
  description,
  inputSchema: { ...schema, type: "object" as const },
  annotations: { readOnlyHint: does === "read", openWorldHint: false },
  _meta: withoutUndefined({ [pointKey]: point, [askedKey]: askedEachTime }),
});

type Guarded = { raw: RawHeaders; target: string | undefined; hosts: readonly string[]; token: string };

/** Decides before any of the body is read. */
function refusal(request: Request, { raw, target, hosts, token }: Guarded): Response | undefined {
  const foreign = targetProblem(target) ?? hostProblem(raw, hosts) ?? originProblem(raw, []);
  if (foreign !== undefined) return new Response(foreign, { status: 403 });
  const given = bearerOf(request.headers.get("authorization") ?? undefined);
  if (given === undefined || !sameToken(given, token))
    return new Response("This server needs its token.", { status: 401 });
  return new URL(request.url).pathname === path ? undefined : new Response("Not here.", { status: 404 });
}

type RequestHandler = (request: Request, raw: RawHeaders, target: string | undefined) => Promise<Response>;

function listener({ getRequestListener }: Parts, handle: RequestHandler): Server {
  const listen = getRequestListener(
    (request, { incoming }) => handle(request, incoming.rawHeaders, incoming.url),
    { overrideGlobalObjects: false },
  );
  const server = createServer((incoming, outgoing) => void listen(incoming, outgoing));
  server.maxConnections = mostConnections;
  return server;
}

function portOf(server: Server): number {
  const address: unknown = server.address();
  return isObject(address) && typeof address["port"] === "number" ? address["port"] : 0;
}
