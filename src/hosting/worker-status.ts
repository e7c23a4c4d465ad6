/** What a worker tells over HTTP, if it is asked to: whether it lives, whether it can work, and figures for monitoring. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Expected } from "../base/expected.ts";
import { openPort, urlHost } from "../base/listening.ts";
import { gaugeLines, processLines } from "../base/prometheus.ts";
import { bearerOf, sameToken } from "../base/server-guard.ts";
import { engineLines, hostLines } from "./figures.ts";
import { Readiness } from "./readiness.ts";
import type { SessionWorker } from "./session-worker.ts";

/** Wait for a whole request to a worker, in milliseconds. */
const requestTimeMs = 10_000;
const mostConnections = 64;

type StatusSetup = {
  worker: SessionWorker;
  /** Whatever tells more than whether it lives and can work needs this. */
  token: string;
  /** Port 0: any free one. */
  listen: { host: string; port: number };
  /** Whether the worker takes nothing new any more. */
  isStopping: () => boolean;
};

type StatusReply = { status: number; body: string; type?: string };

export type WorkerStatus = { url: string; close(): Promise<void> };

export async function openWorkerStatus(setup: StatusSetup): Promise<Expected<WorkerStatus>> {
  const readiness = new Readiness(() => setup.worker.probe());
  const server = createServer(
    { headersTimeout: requestTimeMs, requestTimeout: requestTimeMs, connectionsCheckingInterval: 1_000 },
    (request, response) =>
      void replyTo({ ...setup, readiness }, request)
        .then((reply) => send(response, reply))
        .catch(() => response.destroy()),
  );
  server.maxConnections = mostConnections;
  const port = await openPort(server, setup.listen);
  if (!port.ok) return port;
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => void server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return { ok: true, value: { url: `http://${urlHost(setup.listen.host)}:${port.value}`, close } };
}

type StatusContext = StatusSetup & { readiness: Readiness };

async function replyTo(context: StatusContext, request: IncomingMessage): Promise<StatusReply> {
  const { method = "", url = "", headers } = request;
  const path = url.split("?", 1)[0];
  if (method !== "GET" && method !== "HEAD") return json(405, { error: "GET is the method here." });
  if (path === "/health/alive") return json(200, { status: "ok" });
  if (path !== "/health" && path !== "/health/ready" && path !== "/metrics")
    return json(404, { error: "There is only /health, /health/alive, /health/ready and /metrics here." });
  const isKnown = sameToken(bearerOf(headers.authorization) ?? "", context.token);
  if (path !== "/health/ready" && !isKnown)
    return json(401, { error: "This needs the token in the file worker-token of the state directory." });
  const now = await standing(context);
  const status = now.status === "ok" ? 200 : 503;
  if (path === "/health/ready") return json(status, { status: now.status });
  if (path === "/metrics") return metrics(context, now.status === "ok");
  const { open, working } = context.worker.figures();
  return json(status, { ...now, sessions: { open, working } });
}

async function standing({ isStopping, readiness }: StatusContext) {
  if (isStopping()) return { status: "stopping" };
  const problem = await readiness.problem();
  return problem === undefined ? { status: "ok" } : { status: "unready", problem };
}

async function metrics({ worker }: StatusContext, isReady: boolean): Promise<StatusReply> {
  const lines = [
    ...hostLines(worker.figures()),
    ...gaugeLines([
      ["ready", "Whether it can work now: 1, or 0.", isReady ? 1 : 0],
      ["uptime_seconds", "Since the worker was started.", process.uptime()],
    ]),
    ...engineLines(await worker.queues()),
    ...processLines(),
  ];
  return { status: 200, body: `${lines.join("\n")}\n`, type: "text/plain; version=0.0.4; charset=utf-8" };
}

const json = (status: number, value: object): StatusReply => ({ status, body: `${JSON.stringify(value)}\n` });

function send(response: ServerResponse, { status, body, type = "application/json" }: StatusReply): void {
  const headers = {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  response.writeHead(status, status === 401 ? { ...headers, "www-authenticate": "Bearer" } : headers);
  response.end(response.req.method === "HEAD" ? undefined : body);
}
