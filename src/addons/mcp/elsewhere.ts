/**
 * Decides where a server may send us to log in: servers on the internet must not lead us to hosts in a private network.
 */

import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { whyNotPublic, whyNotPublicName } from "../../base/public-address.ts";
import type { Resolve } from "../../base/safe-request.ts";

/** The reason, for a person. Undefined: it may. `resolve` defaults to the system's resolver. */
export async function whyNotThere(
  server: URL,
  address: URL,
  resolve: Resolve = (name) => lookup(name, { all: true }),
): Promise<string | undefined> {
  if (isWithin(server, address)) return undefined;
  if (!isOfTheWeb(address))
    return `it names ${address.protocol}// for its login, which is none of http or https`;
  const where = await whereInside(address, resolve);
  // A server in a private network, such as a company's own, may name other hosts there.
  if (where === undefined || (await whereInside(server, resolve)) !== undefined) return undefined;
  return `it names ${address.origin} for its login (${where}), which no server of the internet may`;
}

/** The server's own origin, or the same host upgraded to https. */
export const isWithin = (server: URL, { protocol, host, hostname, port }: URL): boolean =>
  (protocol === server.protocol && host === server.host) ||
  (protocol === "https:" && hostname === server.hostname && port === "" && server.port === "");

export const isOfTheWeb = ({ protocol }: URL): boolean => protocol === "https:" || protocol === "http:";

/** Undefined: on the internet, or not resolvable. */
async function whereInside({ hostname }: URL, resolve: Resolve): Promise<string | undefined> {
  const name = hostname.replace(/^\[|\]$/gu, "").replace(/\.$/u, "");
  if (isIP(name) !== 0) return whyNotPublic(name);
  const said = whyNotPublicName(name);
  if (said !== undefined) return said;
  const answers = await resolve(name).catch(() => []);
  return answers.map(({ address }) => whyNotPublic(address)).find((why) => why !== undefined);
}
