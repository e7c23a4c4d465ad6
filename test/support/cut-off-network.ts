/** A network namespace of its own, connected to this machine by a cable that can be pulled: needs root. */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { onTestFinished } from "vitest";

type CutOffNetwork = {
  /** Runs a program inside: the words before it. */
  inside: string[];
  /** This machine, as seen from inside. */
  here: string;
  /** Nothing goes through any more, and nobody is told. */
  cut: () => void;
  heal: () => void;
};

const ip = (...words: string[]): void => void execFileSync("ip", words, { stdio: "pipe" });

/** `net`: the third number of its addresses, 0 to 255. */
export function cutOffNetwork(net: number): CutOffNetwork {
  const [space, cable, plug] = [`toolwright-${process.pid}`, `tw${net}a`, `tw${net}b`];
  const [here, there] = [`10.213.${net}.1`, `10.213.${net}.2`];
  ip("netns", "add", space);
  onTestFinished(() => ip("netns", "del", space));
  ip("link", "add", cable, "type", "veth", "peer", "name", plug, "netns", space);
  ip("address", "add", `${here}/24`, "dev", cable);
  ip("link", "set", cable, "up");
  ip("-n", space, "address", "add", `${there}/24`, "dev", plug);
  for (const device of ["lo", plug]) ip("-n", space, "link", "set", device, "up");
  return {
    inside: ["ip", "netns", "exec", space],
    here,
    cut: () => ip("-n", space, "link", "set", plug, "down"),
    heal: () => ip("-n", space, "link", "set", plug, "up"),
  };
}

/** Passes on what comes to this address to a port of the loopback address; returns the port there. */
export async function passOn(address: string, port: number): Promise<number> {
  const server = createServer((socket) => {
    const other = connect(port, "127.0.0.1");
    socket.on("error", () => other.destroy()).pipe(other);
    other.on("error", () => socket.destroy()).pipe(socket);
  });
  server.listen(0, address);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const bound = server.address();
  return typeof bound === "object" && bound ? bound.port : 0;
}
