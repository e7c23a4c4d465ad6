/** A proxy between client and server that fails on plan: cuts after a number of bytes, or stalls until it is cut. */

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { isObject } from "../../src/base/json.ts";

/** The fault of one connection: after that many bytes to the client it is cut, or nothing more gets through. */
export type Break = { cutAfter: number } | { stallAfter: number };

export type CuttingProxy = {
  /** Like "127.0.0.1:41234". */
  readonly name: string;
  /** Sets the target, a port of this computer. */
  lead(port: number): void;
  /** Queues faults for the next connections; later ones work. */
  plan(breaks: readonly Break[]): void;
  /** Cuts all open connections. */
  cut(): void;
  /** How many connections were made. */
  readonly connections: number;
  close(): Promise<void>;
};

export async function cuttingProxy(): Promise<CuttingProxy> {
  let target = 0;
  let connections = 0;
  let breaks: Break[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true).on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    pass(upstream, client, breaks.shift());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address: unknown = server.address();
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    name: `127.0.0.1:${isObject(address) ? String(address["port"]) : ""}`,
    lead: (port) => void (target = port),
    plan: (planned) => void (breaks = [...planned]),
    cut,
    get connections() {
      return connections;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      cut();
      await closed;
    },
  };
}

function pass(upstream: Socket, client: Socket, planned: Break | undefined): void {
  if (!planned) return void upstream.pipe(client);
  let left = "cutAfter" in planned ? planned.cutAfter : planned.stallAfter;
  upstream.on("data", (bytes) => {
    const part = bytes.subarray(0, left);
    left -= part.length;
    if (part.length > 0) client.write(part);
    if (left > 0) return;
    if ("cutAfter" in planned) client.end(() => client.destroy());
    else upstream.pause();
  });
}
