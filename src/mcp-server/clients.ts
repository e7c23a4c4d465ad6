/** Clients of earlier protocol versions over HTTP: each has a session with the server, by the id in its headers. */

import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { minutes } from "../base/bound.ts";
import { mcpServerBounds } from "./bounds.ts";
import { refusal } from "./http-body.ts";

/** Silence of an MCP client that uses the protocol's sessions, in milliseconds. */
const idleClientMs = 30 * minutes;

type ClientConnection = {
  transport: WebStandardStreamableHTTPServerTransport;
  mcp: McpServer;
  /** Number of requests in progress. */
  open: number;
  usedAt: number;
};

const { clients } = mcpServerBounds;

export class ConnectedClients {
  readonly #make: () => McpServer;
  /** The longest idle client first. */
  readonly #byId = new Map<string, ClientConnection>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(make: () => McpServer) {
    this.#make = make;
  }

  async answer(request: Request, body: unknown): Promise<Response> {
    if (this.#isClosed) return refusal(503, "The server is stopping.");
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? undefined : this.#byId.get(id);
    if (known && id !== null) return this.#through(known, { request, body, id });
    if (id !== null) return refusal(404, "There is no such session any more: initialize anew.");
    if (!isInitializeRequest(body)) return refusal(400, "Initialize first.");
    return (await this.#begin()).handleRequest(request, { parsedBody: body });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.allSettled([...this.#byId.keys()].map((id) => this.#end(id)));
  }

  async #through(
    client: ClientConnection,
    { request, body, id }: { request: Request; body: unknown; id: string },
  ) {
    this.#byId.delete(id);
    this.#byId.set(id, client);
    client.open += 1;
    try {
      return await client.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
    } finally {
      client.open -= 1;
      client.usedAt = performance.now();
    }
  }

  async #begin(): Promise<WebStandardStreamableHTTPServerTransport> {
    const mcp = this.#make();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#admit(id, { transport, mcp, open: 0, usedAt: performance.now() }),
      onsessionclosed: (id) => void this.#byId.delete(id),
    });
    await mcp.connect(transport);
    return transport;
  }

  #admit(id: string, client: ClientConnection): void {
    const [oldest] = this.#byId.keys();
    if (oldest !== undefined && this.#byId.size >= clients.most) void this.#end(oldest);
    this.#byId.set(id, client);
    this.#timer ??= setInterval(() => this.#look(), idleClientMs / 10).unref();
  }

  #look(): void {
    for (const [id, { open, usedAt }] of this.#byId)
      if (open === 0 && performance.now() - usedAt > idleClientMs) void this.#end(id);
  }

  async #end(id: string): Promise<void> {
    const client = this.#byId.get(id);
    this.#byId.delete(id);
    await client?.mcp.close().catch(() => undefined);
  }
}
