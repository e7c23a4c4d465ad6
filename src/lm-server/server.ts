/**
 * The language-model server on this computer: listens, limits clients, and shuts down without cutting answers short.
 */

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { withDeadline } from "../base/async.ts";
import { minutes } from "../base/bound.ts";
import type { Expected } from "../base/expected.ts";
import { hostsOf, openPort, urlHost } from "../base/listening.ts";
import type { HearsRequests } from "../protocol/serving.ts";
import { type AppOptions, type LmApp, lmApp } from "./app.ts";
import { mostConnections } from "./bounds.ts";
import { clientsOf } from "./clients.ts";
import { moveKey } from "./key-path.ts";
import type { ClientLimits } from "./limits.ts";
import type { Log } from "./log.ts";
import { meterOf, type MeterOptions } from "./meter.ts";
import { metricsOf } from "./metrics.ts";
import { type ModelsOptions, openModels } from "./models.ts";
import type { Records } from "./records.ts";
import { openVisits } from "./visits.ts";

/** Wait for the headers of a request to the language-model server, in milliseconds. */
const headersTimeMs = 10_000;
/** Wait for a whole request to the language-model server, in milliseconds. */
const requestTimeMs = 30_000;
/** Idle time of a connection to the language-model server between two requests, in milliseconds. */
const idleConnectionMs = minutes;
/** Time for unfinished answers when the language-model server stops, in milliseconds. */
export const farewellMs = 10_000;
/** Time for delivering the last bytes when the language-model server stops, in milliseconds. */
export const lastBytesMs = 1_000;

export type LmServerOptions = ModelsOptions &
  Pick<AppOptions, "origins" | "count"> &
  Pick<MeterOptions, "price" | "now"> & {
    /** The owner's key. */
    token: string;
    records: Records;
    /** The limits of clients that the settings name. */
    limits: Readonly<Record<string, ClientLimits>>;
    /** The address to listen on. */
    host: string;
    /** 0: any free port. */
    port: number;
    /** Allowed Host headers besides this computer's own names. */
    hosts: readonly string[];
    log: Log;
    /** The observer of requests. */
    hears?: HearsRequests | undefined;
  };

export type LmServer = {
  /** Like "http://127.0.0.1:4141". */
  url: string;
  app: LmApp;
  /** The model names that clients are offered. */
  models: readonly string[];
  /** Lets running answers finish, for a limited time. */
  close(): Promise<void>;
};

/** The problem is one line: what happened and what to do next. */
export async function startLmServer(options: LmServerOptions): Promise<Expected<LmServer>> {
  const closing = new AbortController();
  const metrics = metricsOf();
  const log: Log = (line) => {
    metrics.visited(line);
    options.log(line);
  };
  const visits = openVisits(log, options.hears);
  const models = openModels(options);
  let hosts: readonly string[] = [];
  const [clients, meter] = [clientsOf(options), meterOf(options)];
  meter.hears((client, spent) => metrics.spent(client, spent));
  const app = lmApp({
    ...options,
    clients,
    meter,
    metrics,
    models,
    visits,
    hosts: () => hosts,
    closing: closing.signal,
  });
  const server = listener(app);
  const opened = await openPort(server, options);
  if (!opened.ok) return opened;
  const port = opened.value;
  hosts = [...hostsOf(options.host, port), ...options.hosts.map((host) => host.toLowerCase())];
  return {
    ok: true,
    value: {
      url: `http://${urlHost(options.host)}:${port}`,
      app,
      models: models.listed.map(({ name }) => name),
      async close() {
        const closed = once(server, "close");
        server.close();
        await withDeadline(visits.idle(), farewellMs);
        closing.abort(new Error("The language-model server is being stopped."));
        await lastBytes(server, closed);
        await closed;
      },
    },
  };
}

/** A finished reply may still be in transit: its connection becomes idle once the reply has been sent. */
async function lastBytes(server: Server, closed: Promise<unknown>): Promise<void> {
  const sweeping = setInterval(() => server.closeIdleConnections(), 10);
  await withDeadline(closed, lastBytesMs);
  clearInterval(sweeping);
  server.closeAllConnections();
}

function listener(app: LmApp): Server {
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(
    {
      headersTimeout: headersTimeMs,
      requestTimeout: requestTimeMs,
      connectionsCheckingInterval: headersTimeMs / 4,
      keepAliveTimeout: idleConnectionMs,
      noDelay: true,
    },
    (incoming, outgoing) => {
      moveKey(incoming);
      void answer(incoming, outgoing);
    },
  );
  server.maxConnections = mostConnections;
  return server;
}
