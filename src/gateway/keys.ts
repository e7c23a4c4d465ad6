/** The gateway's credentials: the token from the file, the keys of signed-in browsers, and the one-time codes for those. */

import { randomHex } from "../base/crypto.ts";
import { sameToken } from "../base/server-guard.ts";
import type { People } from "../hosting/people/people.ts";
import { gatewayBounds } from "./bounds.ts";
import { steadyNow } from "./clockwork.ts";
import type { Bearer, Devices } from "./devices.ts";

/** Unused one-time codes. */
const mostCodes = 64;

/** `has`: the key that the browser has already. `loggedIn`: what it alone knows if it has just logged in. */
type BrowserSignIn = { name: string; has?: string | undefined; loggedIn: string };

export type GatewayKeys = {
  /** Who shows this token; `undefined` if it is none. */
  bearer(token: string): Promise<Bearer | undefined>;
  /** Valid once and for ten minutes. */
  newCode(): string;
  /**
   * Exchanges a code for a key of this browser; one that is signed in already keeps its own. `undefined` if the code is
   * invalid, expired or used.
   */
  exchange(code: string, browser: BrowserSignIn): Promise<string | undefined>;
};

const { codeTime } = gatewayBounds;
/** 128 bits. */
const idBytes = 16;

const program: Bearer = { type: "program" };

/** `people`: of a team's server. */
type KeysSetup = {
  secret: string;
  devices: Devices;
  people?: People | undefined;
  now?: (() => number) | undefined;
};

export function keysOf({ secret, devices, people, now }: KeysSetup): GatewayKeys {
  // The wall clock may be set back, and the monotonic clock stops while the machine sleeps: a code expires by either.
  const clocks = now ? [now] : [Date.now, steadyNow];
  const times = (): number[] => clocks.map((clock) => clock());
  /** Open codes with the times at which each was created. */
  const open = new Map<string, number[]>();
  return {
    bearer: async (given) =>
      sameToken(given, secret) ? program : (devices.bearer(given) ?? personBearer(people, given)),
    newCode() {
      const [oldest] = open.keys();
      if (open.size >= mostCodes && oldest !== undefined) open.delete(oldest);
      const code = randomHex(idBytes);
      open.set(code, times());
      return code;
    },
    async exchange(given, { name, has, loggedIn }) {
      const code = [...open.keys()].find((known) => sameToken(given, known));
      const made = code === undefined ? undefined : open.get(code);
      if (code === undefined || made === undefined)
        return people?.exchange(given, { browser: loggedIn, title: name });
      open.delete(code);
      const isGood = times().every((time, at) => time - (made[at] ?? 0) <= codeTime.most);
      if (!isGood) return undefined;
      return has !== undefined && devices.bearer(has) ? has : devices.add(name);
    },
  };
}

async function personBearer(people: People | undefined, token: string): Promise<Bearer | undefined> {
  const person = await people?.signedIn(token);
  if (!person) return undefined;
  const leaving = new AbortController();
  return { type: "person", token, person, signedOut: leaving.signal, signOut: () => leaving.abort() };
}
