/** What lets a client in: the token of the file, the tokens that pages got for a one-time code, and those codes. */

import { bounds } from "../../base/bounds.ts";
import { randomHex } from "../../base/crypto.ts";
import { sameToken } from "../../base/server-guard.ts";
import { steadyNow } from "./clockwork.ts";

export type Keys = {
  isToken(given: string): boolean;
  /** Good once and for a minute. */
  newCode(): string;
  /** A token of its own for a code; `undefined` where it is none, too old, or was used. */
  exchange(code: string): string | undefined;
};

const { codes, codeTime } = bounds.gateway;
/** 128 bits. */
const idBytes = 16;

/**
 * A page's token is a random id with its MAC under the file's token: nothing has to be remembered for it, so it is good
 * after a restart, and as long as the file has that token.
 */
export function keysOf(secret: string, now?: () => number): Keys {
  // The clock on the wall may be set back, the steady one stands still while the machine sleeps: a code is too old by
  // either.
  const clocks = now ? [now] : [Date.now, steadyNow];
  const times = (): number[] => clocks.map((clock) => clock());
  /** With when each was made. */
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
