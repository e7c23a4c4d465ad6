/** What a command may be given besides its sandbox profile, as a model or a person writes it. */

import { type Expected, refuse } from "../base/expected.ts";

type Outside =
  /** Another host; without a port, its web servers. */
  | { type: "host"; host: string; port?: number }
  /** A server of this machine, at its loopback address. */
  | { type: "service"; at: string }
  /** A directory to write, or a socket to reach; absolute. */
  | { type: "place"; path: string }
  /** All processes that the person may end: the command then runs outside the sandbox. */
  | { type: "processes" };

/** How that is written: no host is called so. */
export const otherProcesses = "other processes";

/**
 * Reads "registry.example:443", "https://registry.example/x", "127.0.0.1:5432", "/run/x.sock" or "/home/x/.cache". The
 * problem says what can be written.
 */
export function readOutside(words: string): Expected<Outside> {
  const written = words.trim();
  if (written === otherProcesses) return { ok: true, value: { type: "processes" } };
  if (/^\/(?!\/)[^\p{C}\p{Zl}\p{Zp}]*$/u.test(written) && !/(?:^|\/)\.\.?(?:\/|$)/u.test(written))
    return { ok: true, value: { type: "place", path: written.replace(/(?!^)\/+$/u, "") } };
  const isUrl = /^[a-z][a-z\d+.-]*:\/\//iu.test(written);
  const url = isUrl ? written : `none://${written}`;
  const read = (isUrl || !written.includes("/")) && URL.canParse(url) ? new URL(url) : undefined;
  const host = read ? plainHost(read.hostname) : "";
  if (!read || !isHost.test(host) || read.username !== "")
    return refuse(
      `"${written.slice(0, mostShown)}" is none of: a host ("registry.example:443"), a server of this machine ("127.0.0.1:5432"), an absolute path of a directory or socket, "${otherProcesses}".`,
    );
  const port = read.port === "" ? usualPorts[read.protocol] : Number(read.port);
  if (isLoopback.test(host))
    return { ok: true, value: { type: "service", at: port === undefined ? host : `${host}:${port}` } };
  return { ok: true, value: { type: "host", host, ...(port === undefined ? {} : { port }) } };
}

/** Also of an address in one of its odd spellings, such as 127.1. */
const plainHost = (host: string): string =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";

const mostShown = 100;
const isHost =
  /^(?:[a-z\d_](?:[a-z\d_-]*[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d_])?)*\.?|\[[\da-f:.]+\])$/u;
const isLoopback =
  /^(?:(?:.*\.)?localhost\.?|(?:127|0)(?:\.\d+){3}|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}|0):[\da-f]{1,4}\])$/u;
const usualPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443, "ssh:": 22, "git:": 9418 };

/** In the one form in which it is stored, shown and compared. */
export function outsideInWords(outside: Outside): string {
  switch (outside.type) {
    case "host":
      return outside.port === undefined ? outside.host : `${outside.host}:${outside.port}`;
    case "service":
      return outside.at;
    case "place":
      return outside.path;
    case "processes":
      return otherProcesses;
    default:
      return outside satisfies never;
  }
}
