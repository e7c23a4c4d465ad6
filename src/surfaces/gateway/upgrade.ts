/** Who may open a socket: the same door as for requests, with a third place for the token. */

import { headerValues } from "../../base/server-guard.ts";
import { socketPath } from "../remote/frames.ts";
import { type Door, type Head, isKnown, noSuchRoute, pathOf, placeRefusal, unauthorized } from "./door.ts";
import type { Refusal } from "./refusal.ts";

export const chatPath = "/chat";
/** Every path that takes an upgrade. */
export const socketPaths: readonly string[] = [socketPath, chatPath];

/**
 * `hello`: no token came with it, so it has to be the first frame. `wrong`: one did that is none, offered as browsers
 * do; they tell a page nothing of an upgrade that is refused, so the socket opens and is closed with the reason.
 */
type Admission = { refused: Refusal } | { path: string; token: "known" | "hello" | "wrong" };

export function admission(door: Door, head: Head): Admission {
  const place = placeRefusal(door, head);
  if (place) return { refused: place };
  const isLetIn = isKnown(door, head.raw) || isOffered(door, head);
  const inHeader = headerValues(head.raw, "authorization").length > 0;
  if (inHeader && !isLetIn) return { refused: unauthorized };
  const path = pathOf(head.target);
  if (!socketPaths.includes(path)) return { refused: isLetIn ? noSuchRoute : unauthorized };
  if (isLetIn) return { path, token: "known" };
  return { path, token: offeredTokens(head).length > 0 ? "wrong" : "hello" };
}

/** Browsers can give no header of their own, but names of protocols: `toolwright, token.<token>`. */
function isOffered({ keys }: Door, head: Head): boolean {
  const [token, ...others] = offeredTokens(head);
  return token !== undefined && others.length === 0 && keys.isToken(token);
}

const prefix = "token.";

function offeredTokens({ raw }: Head): string[] {
  return headerValues(raw, "sec-websocket-protocol")
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}
