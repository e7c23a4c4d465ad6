/**
 * The gateway on a port: every request and upgrade passes access control, and no connection outstays its time limits.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { routes } from "../remote/api.ts";
import type { GatewayConnection } from "./connections.ts";
import type { Bearer } from "./devices.ts";
import { type Door, entry, pathOf, signedOutOf } from "./door.ts";
import { type GatewayContext, logFailure } from "./gateway-context.ts";
import { assetReply, type PageAssets } from "./page-assets.ts";
import { refuseRaw } from "./raw-reply.ts";
import { type GatewayRefusal, refusal, refusalBody } from "./refusal.ts";
import { type AdmittedFrom, headersOf } from "./route.ts";
import type { Sockets } from "./sockets.ts";
import { strictHeaders } from "./strict-headers.ts";

/** Wait for the headers of a request to a gateway, in milliseconds. */
const headersTimeMs = 10_000;

type ServerParts = {
  gateway: GatewayContext;
  app: Hono<AdmittedFrom>;
  page: PageAssets;
  door: Door;
  sockets: Sockets;
};

export function gatewayServer(parts: ServerParts): Server {
  const server = createServer({
    // We time bodies ourselves: an import may take long, as long as it makes progress.
    requestTimeout: 0,
    headersTimeout: headersTimeMs,
    connectionsCheckingInterval: headersTimeMs / 10,
    // Some clients offer HTTP/2 with every request; they are still answered, over HTTP/1.1.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
  });
  const bearers = new WeakMap<object, Bearer>();
  const listener = getRequestListener(
    async (request, { incoming }) => {
      const response = await parts.app.fetch(request, { bearer: bearers.get(incoming) });
      // Otherwise the unread rest of a refused body would precede the next request.
      if (incoming.readableDidRead && !incoming.complete) response.headers.set("connection", "close");
      return response;
    },
    { overrideGlobalObjects: false },
  );
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
    void answerRequest(parts, { incoming, outgoing, listener, bearers }).catch((error: unknown) => {
      logFailure(parts.gateway, "a request failed", error);
      outgoing.destroy();
    });
  server.on("request", answer);
  server.on("checkContinue", answer);
  server.on("connection", (socket) => parts.gateway.connections.add(socket));
  server.on("upgrade", (incoming, socket, head) => {
    parts.sockets.upgrade(incoming, socket, head).catch((error: unknown) => {
      logFailure(parts.gateway, "an upgrade failed", error);
      socket.destroy();
    });
  });
  server.on("clientError", (error, socket) => refuseUnread(parts.gateway, error, socket));
  return server;
}

type Exchange = {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  listener: ReturnType<typeof getRequestListener>;
  /** Whom admitted requests come from. */
  bearers: WeakMap<object, Bearer>;
};

async function answerRequest(
  parts: ServerParts,
  { incoming, outgoing, listener, bearers }: Exchange,
): Promise<void> {
  const { gateway, door, page } = parts;
  const { method = "", url: target = "", rawHeaders: raw } = incoming;
  const connection = gateway.connections.of(incoming.socket);
  if (!connection) return void incoming.destroy();
  const { refused: refusedEntry, bearer } = await entry(door, { method, target, raw });
  if (bearer) bearers.set(incoming, bearer);
  const refused = refusedEntry ?? paceRefusal(connection, gateway.clock.now);
  if (refused) {
    gateway.counts.one("refused_total", { reason: refused.code });
    return refuse(outgoing, refused);
  }
  const asset = page.get(pathOf(target));
  if (asset && (method === "GET" || method === "HEAD")) {
    const { headers, bytes } = assetReply(
      pathOf(target),
      asset,
      incoming.headers["accept-encoding"]?.toString(),
    );
    outgoing.writeHead(200, headers);
    return void outgoing.end(method === "HEAD" ? undefined : bytes);
  }
  endWith(signedOutOf(method, bearer), outgoing);
  if (!(await isItsTurn(connection, outgoing))) return;
  gateway.counts.one("requests_total");
  if (!door.isOpen(method, pathOf(target))) connection.isKnown = true;
  connection.reading = {
    since: gateway.clock.now,
    bytes: incoming.socket.bytesRead,
    isLong: pathOf(target) === routes.import.path,
    isOver: () => incoming.complete,
  };
  if (incoming.headers.expect !== undefined) outgoing.writeContinue();
  await listener(incoming, outgoing);
}

/**
 * Replies leave in the order of their requests anyway. Processing them one at a time means that a client which
 * pipelines many requests and reads nothing makes us buffer only one reply. `false`: the client is gone.
 */
async function isItsTurn(connection: GatewayConnection, outgoing: ServerResponse): Promise<boolean> {
  const { replied } = connection;
  connection.replied = new Promise((resolve) => void outgoing.once("close", resolve));
  await replied;
  return !connection.socket.destroyed;
}

function endWith(signedOut: AbortSignal | undefined, outgoing: ServerResponse): void {
  const { socket } = outgoing.req;
  const end = (): void => void socket.destroy();
  signedOut?.addEventListener("abort", end);
  outgoing.once("close", () => signedOut?.removeEventListener("abort", end));
}

function paceRefusal({ pace }: GatewayConnection, now: number): GatewayRefusal | undefined {
  return pace.take(now)
    ? undefined
    : refusal(429, "too-many", "Too many requests in a short time: wait a second.");
}

/** The rest of the request is not read: the connection closes after the reply. */
function refuse(outgoing: ServerResponse, refused: GatewayRefusal): void {
  const body = refusalBody(refused);
  const isWhole = outgoing.req.complete || !hasBody(outgoing.req);
  outgoing.writeHead(refused.status, {
    ...strictHeaders,
    ...headersOf(refused),
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...(isWhole ? {} : { connection: "close" }),
  });
  if (!isWhole) outgoing.once("finish", () => outgoing.req.destroy());
  outgoing.end(body);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Answers input that is not valid HTTP, or that did not arrive in time. */
function refuseUnread({ counts }: GatewayContext, error: Error, socket: Duplex): void {
  const code = "code" in error ? error.code : undefined;
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const refused =
    code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? refusal(408, "too-late", "The request did not come in time.")
      : code === "HPE_HEADER_OVERFLOW"
        ? refusal(431, "too-large", "The headers of the request are too large.")
        : refusal(400, "bad-request", "This is not HTTP as it should be.");
  counts.one("refused_total", { reason: refused.code });
  refuseRaw(socket, refused);
}
