/** Who may ask: checked before a byte of the body is read. */

import {
  bearerOf,
  hostProblem,
  originProblem,
  sameToken,
  targetProblem,
  type RawHeaders,
} from "../../base/server-guard.ts";
import { Refusal } from "./refusal.ts";

export type GuardOptions = {
  token: string;
  /** As they stand in a Host header, in lower case. */
  hosts: () => readonly string[];
  /** Web pages that may ask, like "http://localhost:3000". */
  origins: readonly string[];
};

/** A request as it came over the line, or as one made in this process. */
export type Asked = { raw: RawHeaders; target: string | undefined; headers: Headers; query: URLSearchParams };

/** By its names: it means this server, and no foreign page sends it. Throws Refusal. */
export function checkPlace({ raw, target }: Asked, { hosts, origins }: GuardOptions): void {
  const foreign = targetProblem(target) ?? hostProblem(raw, hosts()) ?? originProblem(raw, origins);
  if (foreign !== undefined) throw new Refusal(403, foreign);
}

/** Throws Refusal. */
export function checkToken({ headers, query }: Asked, token: string): void {
  if (!tokensOf(headers, query).some((given) => sameToken(given, token)))
    throw new Refusal(
      401,
      "This server needs its token, as it printed it when it started: send it as the API key.",
    );
}

/** Where the clients of all formats put their key. */
const tokensOf = (headers: Headers, query: URLSearchParams): string[] =>
  [
    bearerOf(headers.get("authorization") ?? undefined),
    headers.get("x-api-key"),
    headers.get("x-goog-api-key"),
    query.get("key"),
  ].filter((token) => typeof token === "string");
