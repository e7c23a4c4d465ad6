/** A proxy that forwards nothing, and records the hosts that a program tried to reach. */

import { once } from "node:events";
import { createServer } from "node:net";
import { onTestFinished } from "vitest";
import { isObject } from "../../src/base/json.ts";

type Trap = {
  /** Environment that routes everything except this machine's own address into the trap. */
  env: Record<string, string>;
  /** The first lines of the requests, such as "CONNECT example.com:443 HTTP/1.1". */
  asked: readonly string[];
};

/** Open until the test ends. */
export async function openTrap(): Promise<Trap> {
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (bytes) => {
      asked.push(bytes.toString("latin1").split("\r\n")[0] ?? "");
      socket.destroy();
    });
  });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const proxy = `http://127.0.0.1:${isObject(address) ? String(address["port"]) : ""}`;
  const names = ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [name, name.toUpperCase()]);
  const own = "127.0.0.1,localhost";
  return {
    asked,
    env: {
      ...Object.fromEntries(names.map((name) => [name, proxy])),
      no_proxy: own,
      NO_PROXY: own,
      NODE_USE_ENV_PROXY: "1",
    },
  };
}
