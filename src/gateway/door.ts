/** Access control, decided from the request's head alone, before any of its body is read. */

import { bearerOf, headerValues, hostProblem, originProblem, type RawHeaders } from "../base/server-guard.ts";
import type { Bearer } from "./devices.ts";
import type { GatewayKeys } from "./keys.ts";
import { methods, type GatewayRefusal, refusal } from "./refusal.ts";

/** `target` as sent, including its query. */
export type RequestHead = { method: string; target: string; raw: RawHeaders };

export type Door = {
  hosts: readonly string[];
  origins: readonly string[];
  keys: Pick<GatewayKeys, "bearer">;
  /** Paths that need no token, only the right host and origin. */
  isOpen(method: string, path: string): boolean;
};

/** Why the request is refused, or whose it is; an open path is anybody's. */
export async function entry(
  door: Door,
  head: RequestHead,
): Promise<{ refused?: GatewayRefusal | undefined; bearer?: Bearer }> {
  const place = placeRefusal(door, head);
  if (place) return { refused: place };
  if (door.isOpen(head.method, pathOf(head.target))) return {};
  const bearer = await bearerIn(door, head.raw);
  return bearer ? { refused: oddRefusal(head), bearer } : { refused: unauthorized };
}

/** Refuses a foreign host name, and a foreign origin where there is one. */
export function placeRefusal(door: Door, { target, raw }: RequestHead): GatewayRefusal | undefined {
  const host = hostProblem(raw, door.hosts);
  if (host !== undefined) return refusal(403, "wrong-host", `${host} Use one of those names.`);
  if (!target.startsWith("/") && target !== "*")
    return refusal(403, "wrong-host", "The target of a request to a gateway is a path, not a whole URL.");
  const origin = originProblem(raw, door.origins);
  return origin === undefined ? undefined : refusal(403, "foreign-origin", origin);
}

export const unauthorized = refusal(
  401,
  "unauthorized",
  "This needs the gateway's token: send it as `Authorization: Bearer …`. It is in the file gateway-token of the state directory; for a browser, `toolwright serve link` prints an address.",
);

/** Requires exactly one Authorization header, with a valid token. */
export async function bearerIn({ keys }: Pick<Door, "keys">, raw: RawHeaders): Promise<Bearer | undefined> {
  const [authorization, ...others] = headerValues(raw, "authorization");
  const token = bearerOf(authorization);
  return token !== undefined && others.length === 0 ? keys.bearer(token) : undefined;
}

/**
 * Aborted when the browser or person of this request is signed out: whatever it still reads or sends ends. A DELETE is over at
 * once, and the reply to signing oneself out has to leave.
 */
export const signedOutOf = (method: string, bearer: Bearer | undefined): AbortSignal | undefined =>
  bearer && bearer.type !== "program" && method !== "DELETE" ? bearer.signedOut : undefined;

/** The part before the query. */
export const pathOf = (target: string): string => target.split("?", 1)[0] ?? "";

/** Our paths never have dot segments, or doubled, reversed or encoded slashes; a router would normalise them first. */
const oddPath = /\/\/|\/\.{1,2}(?:\/|$)|\\|%(?:2e|2f|5c|00)|%(?![0-9a-f]{2})|[^!-~]/iu;

function oddRefusal({ method, target }: RequestHead): GatewayRefusal | undefined {
  if (oddPath.test(pathOf(target)) || target === "*") return noSuchRoute;
  if (methods.includes(method)) return undefined;
  return refusal(405, "wrong-method", `${methods.join(", ")} are the methods here.`);
}

export const noSuchRoute = refusal(
  404,
  "no-such-route",
  "There is nothing here. GET /openapi.json describes what there is.",
);
