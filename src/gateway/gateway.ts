/**
 * Assembles a gateway. A request passes, in this order: connections (how many, how slow), door (names, origin, token
 * from keys), pace (how many a second), then app and its routes (route validates input and shapes output by the route
 * table). An upgrade passes upgrade, then sockets; each frame on a socket goes to session-socket, and followed data
 * returns through following (a session) and watching (the list), then outbox. clockwork ticks for all of them, and
 * counts become /metrics.
 */

import type { Hono } from "hono";
import { withDeadline } from "../base/async.ts";
import type { Expected } from "../base/expected.ts";
import { openPort, urlHost } from "../base/listening.ts";
import { Readiness } from "../hosting/readiness.ts";
import type { SessionHost } from "../hosting/session-host.ts";
import { routes } from "../remote/api.ts";
import { openApiDocument } from "../remote/openapi.ts";
import type { ModelsToChoose } from "../runtime/models/models.ts";
import { gatewayApp } from "./app.ts";
import { Clockwork } from "./clockwork.ts";
import { Connections } from "./connections.ts";
import { GatewayCounts } from "./counts.ts";
import { Devices } from "./devices.ts";
import type { Door } from "./door.ts";
import { fetchThroughDoor } from "./fetch.ts";
import type { GatewayContext, GatewayTeam } from "./gateway-context.ts";
import { keysOf } from "./keys.ts";
import { loginPaths } from "./login.ts";
import { namesOf } from "./names.ts";
import { type PageAssets, readPageAssets } from "./page-assets.ts";
import type { AdmittedFrom } from "./route.ts";
import { gatewayServer } from "./server.ts";
import { gatewaySockets } from "./sockets.ts";

export type GatewaySetup = {
  /** The gateway does not close the host. */
  host: SessionHost;
  /** The secret that admits programs. */
  token: string;
  /** The browsers that are signed in; by default they are forgotten with the gateway. */
  devices?: Devices;
  team?: GatewayTeam;
  /** Port 0: any free one. */
  listen: { host: string; port: number };
  /** Additional names of the gateway: "name", "name:port", or "https://name" behind a proxy. */
  names?: readonly string[];
  /** The page's build output. */
  pageFolder?: string;
  version: string;
  /** How long a question waits for an answer in the chat protocol. */
  answerWithinMs?: number;
  models?: () => Promise<ModelsToChoose>;
  log?: (line: string) => void;
  /** A monotonic clock in milliseconds, and the interval between connection checks; replaced in tests. */
  now?: () => number;
  lookMs?: number;
};

export type Gateway = {
  /** Like "http://127.0.0.1:4747". */
  readonly url: string;
  readonly port: number;
  /** An address that signs in one browser, once and within ten minutes. */
  link(): string;
  /** Bypasses the port, but not access control. */
  fetch(request: Request): Promise<Response>;
  readonly app: Hono<AdmittedFrom>;
  /** Accepts no new work; resolves when nothing is running, or after this many milliseconds. */
  drain(mostMs: number): Promise<void>;
  close(): Promise<void>;
};

/** Resolves once the gateway answers. On failure, the problem is one line and nothing is left open. */
export async function startGateway(setup: GatewaySetup): Promise<Expected<Gateway>> {
  const { listen, names = [] } = setup;
  const early = namesOf({ ...listen, names });
  if (!early.ok) return early;
  const parts = await assemble(setup);
  const port = await openPort(parts.server, listen);
  if (!port.ok) return port;
  const found = namesOf({ host: listen.host, port: port.value, names });
  if (!found.ok) return found;
  parts.door.hosts.push(...found.value.hosts);
  parts.door.origins.push(...found.value.origins);
  return { ok: true, value: openedGateway(setup, parts, port.value) };
}

type GatewayParts = Awaited<ReturnType<typeof assemble>>;

async function assemble(setup: GatewaySetup) {
  const stop = { isStopping: false, closing: new AbortController(), url: "" };
  const gateway = contextFor(setup, stop, () => sockets.size);
  const page = await readPageAssets(setup.pageFolder);
  const door = doorFor(gateway, page);
  const sockets = gatewaySockets(gateway, door, setup);
  const app = gatewayApp(gateway);
  const server = gatewayServer({ gateway, app, page, door, sockets });
  return { stop, gateway, page, door, sockets, app, server };
}

type GatewayStop = { isStopping: boolean; closing: AbortController; url: string };

function contextFor(setup: GatewaySetup, stop: GatewayStop, sockets: () => number): GatewayContext {
  const {
    host,
    token,
    version,
    now,
    models = async () => ({ providers: [] }),
    log = () => undefined,
    team,
  } = setup;
  const { devices = new Devices({ secret: token, log }) } = setup;
  const clock = new Clockwork(now, setup.lookMs);
  const counts = new GatewayCounts();
  const closed = (reason: string): void => counts.one("closed_total", { reason });
  return {
    host,
    keys: keysOf({ secret: token, devices, people: team?.people, now }),
    team,
    devices,
    counts,
    clock,
    connections: new Connections(clock, { closed }),
    readiness: new Readiness(() => host.probe()),
    version,
    startedAt: clock.now,
    origin: () => setup.names?.find((name) => name.startsWith("https://")) ?? stop.url,
    openapi: () => openApiDocument({ version, url: stop.url }),
    models,
    isStopping: () => stop.isStopping,
    closing: stop.closing.signal,
    sockets,
    log,
  };
}

/** Until the port is open it has no names, and so admits no request. */
function doorFor({ keys, team }: GatewayContext, page: PageAssets) {
  const isOpen: Door["isOpen"] = (method, path) =>
    (page.has(path) && (method === "GET" || method === "HEAD")) ||
    openRoutes.has(`${method} ${path}`) ||
    (method === "GET" && loginPaths(team?.login).includes(path));
  const hosts: string[] = [];
  const origins: string[] = [];
  return { hosts, origins, keys, isOpen };
}

const openRoutes: ReadonlySet<string> = new Set(
  Object.values(routes).flatMap((route) => (route.needs === "none" ? [`${route.method} ${route.path}`] : [])),
);

function openedGateway(setup: GatewaySetup, parts: GatewayParts, port: number): Gateway {
  const { gateway, stop, sockets, server, app } = parts;
  const url = `http://${urlHost(setup.listen.host)}:${port}`;
  stop.url = url;
  return {
    url,
    port,
    app,
    link: () => `${url}/#code=${gateway.keys.newCode()}`,
    fetch: (request) => fetchThroughDoor(parts, request),
    async drain(mostMs) {
      stop.isStopping = true;
      await setup.host.drain(mostMs);
    },
    async close() {
      stop.isStopping = true;
      stop.closing.abort();
      sockets.close();
      const closed = new Promise((resolve) => void server.close(resolve));
      server.closeIdleConnections();
      await gateway.devices.close();
      await withDeadline(closed, goodbyeMs);
      gateway.connections.closeAll();
      await closed;
    },
  };
}

/** Time for the last bytes and the sockets' close frames. */
const goodbyeMs = 1_000;
