/** A proxy that lets nothing through, and remembers what it was asked for: where a program wanted to go. */

import { once } from "node:events";
import { createServer } from "node:net";
import { onTestFinished } from "vitest";
import { isObject } from "../../src/base/json.ts";

type Trap = {
  /** Leads everywhere but to this machine's own address into the trap. */
  env: Record<string, string>;
  /** The first lines of what was asked, such as "CONNECT example.com:443 HTTP/1.1". */
  asked: readonly string[];
};

/** Open until the test is over. */
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
