/** Admission of sockets: the same access control as for requests, with a third place for the token. */

import { headerValues } from "../base/server-guard.ts";
import { socketPath } from "../remote/frames.ts";
import type { Bearer } from "./devices.ts";
import {
  bearerIn,
  type Door,
  type RequestHead,
  noSuchRoute,
  pathOf,
  placeRefusal,
  unauthorized,
} from "./door.ts";
import type { GatewayRefusal } from "./refusal.ts";

export const chatPath = "/chat";
/** Every path that takes an upgrade. */
export const socketPaths: readonly string[] = [socketPath, chatPath];

/**
 * `hello`: the upgrade had no token, so a `hello` must be the first frame. `wrong`: it offered an invalid token the way
 * browsers do. A page learns nothing about a refused upgrade, so the socket opens and is closed with the reason.
 */
type UpgradeAdmission = { refused: GatewayRefusal } | { path: string; bearer: Bearer | "hello" | "wrong" };

export async function admission(door: Door, head: RequestHead): Promise<UpgradeAdmission> {
  const place = placeRefusal(door, head);
  if (place) return { refused: place };
  const bearer = (await bearerIn(door, head.raw)) ?? (await bearerOffered(door, head));
  const inHeader = headerValues(head.raw, "authorization").length > 0;
  if (inHeader && !bearer) return { refused: unauthorized };
  const path = pathOf(head.target);
  if (!socketPaths.includes(path)) return { refused: bearer ? noSuchRoute : unauthorized };
  return { path, bearer: bearer ?? (offeredTokens(head).length > 0 ? "wrong" : "hello") };
}

/** Browsers cannot set headers on an upgrade, but can name subprotocols: `toolwright, token.<token>`. */
async function bearerOffered({ keys }: Door, head: RequestHead): Promise<Bearer | undefined> {
  const [token, ...others] = offeredTokens(head);
  return token !== undefined && others.length === 0 ? keys.bearer(token) : undefined;
}

const prefix = "token.";

function offeredTokens({ raw }: RequestHead): string[] {
  return headerValues(raw, "sec-websocket-protocol")
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}
