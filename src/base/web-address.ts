/** Parses an untrusted URL so that it can only lead to the public web, or to a host that the user has allowed. */

import { isIP } from "node:net";
import { kib } from "./bound.ts";
import type { Expected } from "./expected.ts";
import { whyNotPublic, whyNotPublicName } from "./public-address.ts";

export type WebAddress = {
  /** Without fragment, and without a trailing dot in its host. */
  url: URL;
  /** Its host as rules and people write it: with the port, unless it is a default one. */
  host: string;
  /** The user has named this host: its addresses are not checked. */
  isNamed: boolean;
};

/** An address to fetch, in characters. */
const longest = 4 * kib;
const usualPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/**
 * `named`: hosts ("localhost:3000") that may be fetched wherever they are. The addresses of a host name are checked
 * when it is resolved.
 */
export function readWebAddress(text: string, named: readonly string[] = []): Expected<WebAddress> {
  const refuse = (why: string): Expected<never> => ({ ok: false, problem: `${shownAddress(text)} ${why}` });
  if (text.length > longest)
    return refuse(`is longer than the ${longest} characters that an address may have.`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return refuse("is no address: write it whole, like https://docs.example.org/page.");
  if (!(url.protocol in usualPorts)) return refuse("cannot be fetched: only http:// and https:// can.");
  if (url.username !== "" || url.password !== "")
    return refuse("has a user name or password in it: only what everybody may read is fetched.");
  const name = url.hostname.replace(/\.$/u, "");
  if (name === "" || name.endsWith(".")) return refuse("has no host that could be found.");
  url.hostname = name;
  url.hash = "";
  const host = hostOf(url);
  const isNamed = named.some((one) => sameHost(one, host));
  const why = isNamed ? undefined : whyNotFetched(url, host);
  return why === undefined ? { ok: true, value: { url, host, isNamed } } : refuse(why);
}

function whyNotFetched(url: URL, host: string): string | undefined {
  const literal = url.hostname.replace(/^\[|\]$/gu, "");
  const isLiteral = isIP(literal) !== 0;
  const is = isLiteral ? whyNotPublic(literal) : whyNotPublicName(url.hostname);
  if (is !== undefined) return `is not on the public web (${is}), and is not fetched. ${wayOut(host)}`;
  if (host !== url.hostname) return `is on port ${url.port}: only 80 and 443 are fetched. ${wayOut(host)}`;
  return undefined;
}

/** A remedy for the user: the model cannot change this. */
export const wayOut = (host: string): string =>
  `If that is wanted, the user can add ${JSON.stringify(host)} to \`hosts\` under \`fetch\` in their configuration.`;

function hostOf({ protocol, hostname, port }: URL): string {
  const actual = port === "" ? usualPorts[protocol] : port;
  return actual === "80" || actual === "443" ? hostname : `${hostname}:${actual}`;
}

const sameHost = (named: string, host: string): boolean =>
  named
    .toLowerCase()
    .replace(/:(?:80|443)$/u, "")
    .replace(/\.$/u, "") === host;

/** The address on one line, unmistakable as such, without user name and password. */
export function shownAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url) [url.username, url.password] = ["", ""];
  const canonical = url ? url.href : text.replaceAll(/[^\x21-\x7e]+/gu, " ").trim();
  return canonical.length > longestShown ? `${canonical.slice(0, longestShown)}…` : canonical;
}

const longestShown = 300;
