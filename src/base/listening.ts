/** The address that a server listens on, and the names under which it is reached there. */

import type { Server } from "node:http";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { type Expected, errorMessage, refuse } from "./expected.ts";
import { loopbackHosts } from "./server-guard.ts";

export const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/u.test(host);

/** An address in URL notation. */
const inUrl = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);

/** Where this machine reaches the server, in URL notation: one on all addresses under the loopback address. */
export const urlHost = (host: string): string =>
  host === "0.0.0.0" || host === "::" ? "127.0.0.1" : inUrl(host);

/** The Host values of a server that listens on `host`: the loopback names, and this machine's addresses it is on. */
export const hostsOf = (host: string, port: number): string[] => [
  ...loopbackHosts(port),
  ...addressesOf(host).map((address) => `${inUrl(address)}:${port}`),
];

/** DNS rebinding needs a host name, not an address, so all of this machine's addresses are equally safe. */
function addressesOf(host: string): string[] {
  if (isLoopbackHost(host)) return host.startsWith("127.") && host !== "127.0.0.1" ? [host] : [];
  if (host !== "0.0.0.0" && host !== "::") return [host.toLowerCase()];
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}

/** Opens the port, or says in plain words why that failed. Returns the port actually bound. */
export async function openPort(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<Expected<number>> {
  const opened = Promise.withResolvers<void>();
  server.once("error", opened.reject);
  server.listen({ host, port }, () => opened.resolve());
  try {
    await opened.promise;
  } catch (error) {
    return refuse(portProblem(error, host, port));
  } finally {
    server.off("error", opened.reject);
  }
  const address = server.address();
  return { ok: true, value: typeof address === "object" && address ? address.port : port };
}

function portProblem(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "EADDRINUSE")
    return `Port ${port} is in use by another program: choose another one with --port, or 0 for any that is free.`;
  if (code === "EACCES")
    return `Port ${port} is not for ordinary programs here: choose one above 1023 with --port.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `${JSON.stringify(host)} is not an address of this machine: give another one with --host.`;
  return `Port ${port} cannot be opened: ${errorMessage(error)}.`;
}
