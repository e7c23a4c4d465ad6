/**
 * Decides which requests a server on this computer accepts: exact Host and Origin, and a token. Pure; every problem is
 * one line for the reply.
 */

/** Names and values alternate, as Node's rawHeaders: the only form that shows repeated headers. */
export type RawHeaders = readonly string[];

/** The values of all headers of this name (in lower case). */
export const headerValues = (raw: RawHeaders, name: string): string[] =>
  raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name);

/** The Host values by which a loopback server is reached; a missing port means 80. */
export function loopbackHosts(port: number): string[] {
  const names = ["127.0.0.1", "localhost", "[::1]"];
  return names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]);
}

/**
 * A foreign site can point its own name to this computer (DNS rebinding); requests of its pages then carry that name as
 * Host. So a request must have exactly one Host, and it must be in `allowed` (in lower case).
 */
export function hostProblem(raw: RawHeaders, allowed: readonly string[]): string | undefined {
  const hosts = headerValues(raw, "host");
  const [host] = hosts;
  if (host === undefined) return "The request has no Host header.";
  if (hosts.length > 1) return "The request has more than one Host header.";
  if (allowed.includes(host.toLowerCase())) return undefined;
  return `This server is not reached by the name in the Host header; it is ${allowed.join(" or ")}.`;
}

/** A request target must be a path. An absolute URL ("GET http://…") may name another host than the header does. */
export function targetProblem(target: string | undefined): string | undefined {
  if (target?.startsWith("//"))
    return "The path of the request begins with two slashes: leave out the one at the end of the base URL.";
  return target?.startsWith("/")
    ? undefined
    : "The target of a request to this server is a path, not a whole URL.";
}

/** Programs send no Origin; pages do, and only those in `allowed` ("http://127.0.0.1:4141") are accepted. */
export function originProblem(raw: RawHeaders, allowed: readonly string[]): string | undefined {
  const origins = headerValues(raw, "origin");
  if (origins.every((origin) => allowed.includes(origin)) && origins.length <= 1) return undefined;
  return "Web pages of this origin may not use this server.";
}

/** The token of "Bearer …". */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];

/** Compares in a time that reveals neither where the tokens differ nor how long the right one is. */
export function sameToken(given: string, right: string): boolean {
  const { createHmac, randomBytes, timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const key = randomBytes(32);
  const digest = (token: string) => createHmac("sha256", key).update(token).digest();
  return timingSafeEqual(digest(given), digest(right));
}
