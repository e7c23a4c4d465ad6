/** The ports of the editor's tools: a few, so that a remote window of VS Code can be told not to forward them. */

import { once } from "node:events";
import type { Server } from "node:http";

/** As in the manifest's `remote.portsAttributes`. */
export const ownPorts = { first: 29_310, last: 29_359 };

/** Listens on the loopback address, on the first of these ports that is free; on any if none is. */
export async function listenOnOwnPort(server: Server): Promise<void> {
  for (let port = ownPorts.first; port <= ownPorts.last; port += 1) if (await listensOn(server, port)) return;
  await listensOn(server, 0);
}

async function listensOn(server: Server, port: number): Promise<boolean> {
  server.listen(port, "127.0.0.1");
  return once(server, "listening").then(
    () => true,
    (error: unknown) => {
      if (port === 0) throw error;
      return false; // taken, or not for us
    },
  );
}
