/** The gateway's credentials: the token from the file, the tokens pages got for a one-time code, and those codes. */

import { bounds } from "../../base/bounds.ts";
import { randomHex } from "../../base/crypto.ts";
import { sameToken } from "../../base/server-guard.ts";
import { steadyNow } from "./clockwork.ts";

export type Keys = {
  isToken(given: string): boolean;
  /** Valid once and for a minute. */
  newCode(): string;
  /** Exchanges a code for a new token; `undefined` if the code is invalid, expired or used. */
  exchange(code: string): string | undefined;
};

const { codes, codeTime } = bounds.gateway;
/** 128 bits. */
const idBytes = 16;

/**
 * A page's token is a random id with its MAC under the file's token. Nothing has to be stored for it, so it survives a
 * restart and stays valid as long as the file holds that token.
 */
export function keysOf(secret: string, now?: () => number): Keys {
  // The wall clock may be set back, and the monotonic clock stops while the machine sleeps: a code expires by either.
  const clocks = now ? [now] : [Date.now, steadyNow];
  const times = (): number[] => clocks.map((clock) => clock());
  /** Open codes with the times at which each was created. */
  const open = new Map<string, number[]>();
  return {
    isToken: (given) => sameToken(given, secret) || isOfPage(secret, given),
    newCode() {
      const [oldest] = open.keys();
      if (open.size >= codes.most && oldest !== undefined) open.delete(oldest);
      const code = randomHex(idBytes);
      open.set(code, times());
      return code;
    },
    exchange(given) {
      const code = [...open.keys()].find((known) => sameToken(given, known));
      const made = code === undefined ? undefined : open.get(code);
      if (code === undefined || made === undefined) return undefined;
      open.delete(code);
      const isGood = times().every((time, at) => time - (made[at] ?? 0) <= codeTime.most);
      return isGood ? pageToken(secret, randomHex(idBytes)) : undefined;
    },
  };
}

const pageToken = (secret: string, id: string): string => `page-${id}-${macOf(secret, id)}`;

function isOfPage(secret: string, given: string): boolean {
  const id = /^page-([0-9a-f]{32})-[0-9a-f]{64}$/u.exec(given)?.[1];
  return id !== undefined && sameToken(given, pageToken(secret, id));
}

function macOf(secret: string, id: string): string {
  const { createHmac } = process.getBuiltinModule("node:crypto");
  return createHmac("sha256", secret).update(`page ${id}`).digest("hex");
}
