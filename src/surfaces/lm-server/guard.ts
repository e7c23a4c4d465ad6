/** Access control for requests, applied before any of the body is read. */

import {
  bearerOf,
  hostProblem,
  originProblem,
  sameToken,
  targetProblem,
  type RawHeaders,
} from "../../base/server-guard.ts";
import { keyHeader } from "./key-path.ts";
import { Refusal } from "./refusal.ts";

export type GuardOptions = {
  token: string;
  /** Allowed Host headers, in lower case. */
  hosts: () => readonly string[];
  /** Origins of allowed web pages, like "http://localhost:3000". */
  origins: readonly string[];
};

/** A request as received from the network, or made in this process. */
export type Asked = { raw: RawHeaders; target: string | undefined; headers: Headers; query: URLSearchParams };

/** Checks host and origin: the request is meant for this server, and comes from no foreign page. Throws Refusal. */
export function checkPlace({ raw, target }: Asked, { hosts, origins }: GuardOptions): void {
  const foreign = targetProblem(target) ?? hostProblem(raw, hosts()) ?? originProblem(raw, origins);
  if (foreign !== undefined) throw new Refusal(403, foreign);
}

/** Throws Refusal. */
export function checkToken({ headers, query }: Asked, token: string): void {
  if (!tokensOf(headers, query).some((given) => sameToken(given, token)))
    throw new Refusal(
      401,
      "This server needs its token, as it printed it when it started: send it as the API key, or put /k/ and the token before the path.",
    );
}

/** All the places where clients of the supported formats put their key. */
const tokensOf = (headers: Headers, query: URLSearchParams): string[] =>
  [
    headers.get(keyHeader),
    bearerOf(headers.get("authorization") ?? undefined),
    headers.get("x-api-key"),
    headers.get("x-goog-api-key"),
    query.get("key"),
  ].filter((token) => typeof token === "string");
