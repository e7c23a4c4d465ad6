/** The address that a server listens on, and the names under which it is reached there. */

import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
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
