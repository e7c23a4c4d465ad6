/**
 * The `install` profile's only route to the network: a small proxy in our own process that admits only known
 * registries.
 */

import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Expected, refuse } from "../../base/expected.ts";
import { admit, type HostRules, mayDial } from "./reachable.ts";
import { type Upstream, tunnelThrough, upstreamFor } from "./upstream.ts";

type Proxy = {
  /** Why each host was refused, in words; `target`: it is none of those that may be reached. */
  refused(): ProxyRefusal[];
  close(): Promise<void>;
};

export type ProxyRefusal = { problem: string; target?: string };

type ProxyContext = {
  rules: HostRules;
  env: Readonly<Record<string, string>>;
  /** By the problem. */
  refused: Map<string, ProxyRefusal>;
};

type ProxyTarget = { host: string; port: number };
/** Where to dial: the host's address, resolved once, or the upstream proxy that this machine must use. */
type Route = ProxyTarget & { upstream?: Upstream };

/** Connections of one command through the sandbox's proxy. */
const mostConnections = 256;
/** Silence on a connection through the sandbox's proxy, in milliseconds. */
const silenceMs = 120_000;

/** Listens on a socket in a directory that only our user may enter. */
export async function openProxy(
  socket: string,
  rules: HostRules,
  env: Readonly<Record<string, string>>,
): Promise<Proxy> {
  const context: ProxyContext = { rules, env, refused: new Map() };
  const open = new Set<Duplex>();
  const server = createServer((request, response) => void forward(request, response, context));
  server.maxConnections = mostConnections;
  server.on("connection", (client) => track(client, open));
  server.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => {
    void tunnel(request, client, head, context).then((outward) => outward && track(outward, open));
  });
  server.on("clientError", (_, client) => client.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, resolve);
  });
  return {
    refused: () => [...context.refused.values()],
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const stream of open) stream.destroy();
      await closed;
    },
  };
}

function track(stream: Duplex, open: Set<Duplex>): void {
  open.add(stream);
  stream.on("error", () => stream.destroy());
  stream.once("close", () => open.delete(stream));
}

/** CONNECT: relays bytes both ways without reading them. */
async function tunnel(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  context: ProxyContext,
): Promise<Socket | undefined> {
  client.on("error", () => client.destroy());
  const target = targetOf(request.url ?? "");
  const way = target ? await wayTo(target, context, "https") : refuse("the address cannot be read");
  if (!way.ok) {
    client.end(
      `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${way.problem}\n`,
    );
    return undefined;
  }
  const outward = connect({ host: way.value.host, port: way.value.port });
  outward.setTimeout(silenceMs, () => outward.destroy());
  outward.on("error", () => client.destroy());
  outward.once("close", () => client.destroy());
  client.once("close", () => outward.destroy());
  outward.once("connect", () => {
    if (way.value.upstream && target) tunnelThrough(outward, way.value.upstream, target);
    else client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    outward.write(head);
    outward.pipe(client);
    client.pipe(outward);
  });
  return outward;
}

/** Parses "host:port", the form that CONNECT uses. */
function targetOf(authority: string): ProxyTarget | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/i.exec(authority);
  return match?.[1] === undefined ? undefined : { host: match[1], port: Number(match[2]) };
}

/** Resolves a name once, so that the address that was checked is the one that is dialled. */
async function wayTo(
  target: ProxyTarget,
  context: ProxyContext,
  scheme: "http" | "https",
): Promise<Expected<Route>> {
  const admission = admit(target.host, target.port, context.rules);
  if (admission === undefined) {
    const named = `${target.host}:${target.port}`;
    const whose = context.rules.isGiven ? "it may" : "installs may";
    return reportRefusal(
      { problem: `${named} is not among the hosts that ${whose} reach`, target: named },
      context,
    );
  }
  const upstream = upstreamFor(target.host, scheme, context.env);
  if (upstream) return { ok: true, value: { host: upstream.host, port: upstream.port, upstream } };
  const host = target.host.replace(/^\[(.*)\]$/, "$1");
  try {
    const found = await lookup(host, { all: true });
    const fit = found.filter(({ address }) => mayDial({ host, address }, admission, context.rules));
    const first = fit[0];
    if (first) return { ok: true, value: { host: first.address, port: target.port } };
  } catch {
    return reportRefusal({ problem: `${host} was not found` }, context);
  }
  return reportRefusal(
    { problem: `${host}:${target.port} has only private addresses, and is not named exactly` },
    context,
  );
}

/** A plain HTTP request to a proxy carries the absolute URL. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  context: ProxyContext,
): Promise<void> {
  const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : undefined;
  if (url?.protocol !== "http:") return answer(response, 400, "only http addresses are forwarded");
  const port = url.port === "" ? 80 : Number(url.port);
  const way = await wayTo({ host: url.hostname, port }, context, "http");
  if (!way.ok) return answer(response, 403, way.problem);
  const { upstream } = way.value;
  const outward = httpRequest({
    host: way.value.host,
    port: way.value.port,
    method: request.method,
    path: upstream ? url.href : url.pathname + url.search,
    headers: { ...passedOn(request), host: url.host, ...(upstream ? upstream.headers : {}) },
    timeout: silenceMs,
  });
  outward.on("timeout", () => outward.destroy());
  outward.on("error", () => (response.headersSent ? response.destroy() : answer(response, 502, "no answer")));
  outward.on("response", (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
    reply.on("error", () => response.destroy());
  });
  response.on("close", () => outward.destroy());
  request.pipe(outward);
}

function passedOn(request: IncomingMessage): NodeJS.Dict<string | string[]> {
  const { connection: _, "proxy-connection": _1, "proxy-authorization": _2, ...headers } = request.headers;
  return headers;
}

function answer(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { "content-type": "text/plain", connection: "close" });
  response.end(`${words}\n`);
}

/** A program may request any number of hosts; reporting a few is enough. */
function reportRefusal(found: ProxyRefusal, { refused }: ProxyContext): Expected<never> {
  if (refused.size < 10) refused.set(found.problem, found);
  return refuse(found.problem);
}
