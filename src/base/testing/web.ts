/** A small web for tests: a loopback server under a name that only the test's resolver knows. */

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { Socket } from "node:net";
import { isObject } from "../json.ts";
import type { ResolvedAddress, Resolve } from "../safe-request.ts";

export const siteName = "site.example";

export type Site = {
  /** "http://site.example:41234" */
  url: string;
  port: number;
  /** "site.example:41234": if named by the user, it may be fetched although it is on loopback. */
  host: string;
  /** The number of connections so far. */
  connections(): number;
  /** Resolves every name to this server, and counts the calls. */
  resolve: Resolve;
  asked(): number;
  close(): Promise<void>;
};

export async function site(handler: RequestListener, address = "127.0.0.1", port = 0): Promise<Site> {
  const server = createServer(handler);
  const sockets = new Set<Socket>();
  let connections = 0;
  let asked = 0;
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
  });
  server.listen(port, address);
  await once(server, "listening");
  const bound = server.address();
  const actual = isObject(bound) ? Number(bound["port"]) : 0;
  return {
    url: `http://${siteName}:${actual}`,
    port: actual,
    host: `${siteName}:${actual}`,
    connections: () => connections,
    asked: () => asked,
    resolve: async () => {
      asked += 1;
      return [{ address, family: 4 }];
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Returns the answers in turn, repeating the last one. */
export function turns(...answers: readonly (readonly string[])[]): {
  resolve: Resolve;
  asked: () => string[];
} {
  const asked: string[] = [];
  const resolve = async (name: string): Promise<ResolvedAddress[]> => {
    const now = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(name);
    return now.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { resolve, asked: () => asked };
}
