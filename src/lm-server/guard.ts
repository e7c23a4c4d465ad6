/** Access control for requests, applied before any of the body is read. */

import {
  bearerOf,
  hostProblem,
  originProblem,
  targetProblem,
  type RawHeaders,
} from "../base/server-guard.ts";
import type { ClientDirectory } from "./clients.ts";
import { keyHeader } from "./key-path.ts";
import type { LimitedClient } from "./limits.ts";
import { RequestRefusal } from "./refusal.ts";

export type GuardOptions = {
  clients: ClientDirectory;
  /** Allowed Host headers, in lower case. */
  hosts: () => readonly string[];
  /** Origins of allowed web pages, like "http://localhost:3000". */
  origins: readonly string[];
};

/** A request as received from the network, or made in this process. */
export type ReceivedRequest = {
  raw: RawHeaders;
  target: string | undefined;
  headers: Headers;
  query: URLSearchParams;
};

/** Checks host and origin: the request is meant for this server, and comes from no foreign page. Throws Refusal. */
export function checkPlace({ raw, target }: ReceivedRequest, { hosts, origins }: GuardOptions): void {
  const foreign = targetProblem(target) ?? hostProblem(raw, hosts()) ?? originProblem(raw, origins);
  if (foreign !== undefined) throw new RequestRefusal(403, foreign);
}

/** Who asks. Throws Refusal. */
export function clientOf({ headers, query }: ReceivedRequest, clients: ClientDirectory): LimitedClient {
  const client = clients.find(keysOf(headers, query));
  if (!client)
    throw new RequestRefusal(
      401,
      "This server needs its token, as it printed it when it started: send it as the API key, or put /k/ and the token before the path.",
    );
  return client;
}

/** All the places where clients of the supported formats put their key. */
const keysOf = (headers: Headers, query: URLSearchParams): string[] =>
  [
    headers.get(keyHeader),
    bearerOf(headers.get("authorization") ?? undefined),
    headers.get("x-api-key"),
    headers.get("x-goog-api-key"),
    query.get("key"),
  ].filter((key) => typeof key === "string");
