/** Who asks: finds a client by its key. Only hashes of clients' keys are known, and all of them are compared. */

import { createHash, timingSafeEqual } from "node:crypto";
import { randomHex } from "../base/crypto.ts";
import { sameToken } from "../base/server-guard.ts";
import { type LimitedClient, type ClientLimits, ownerName } from "./limits.ts";
import type { ClientKey, Records } from "./records.ts";

export type ClientDirectory = {
  /** The client of the first key that is one. */
  find(keys: readonly string[]): LimitedClient | undefined;
};

type ClientsOptions = {
  /** The owner's key. */
  token: string;
  records: Pick<Records, "keys">;
  /** By name; what is set here counts before what was stored with the key. */
  limits: Readonly<Record<string, ClientLimits>>;
};

export function clientsOf({ token, records, limits }: ClientsOptions): ClientDirectory {
  const limited = (name: string, stored: ClientLimits = {}): LimitedClient => ({
    name,
    limits: Object.hasOwn(limits, name) ? { ...stored, ...limits[name] } : stored,
  });
  const find = (key: string): LimitedClient | undefined => {
    if (sameToken(key, token)) return limited(ownerName);
    const digest = digestOf(key);
    // No key's comparison depends on another's outcome.
    const [found] = records.keys().filter(({ hash }) => timingSafeEqual(Buffer.from(hash, "hex"), digest));
    return found && limited(found.name, found.limits);
  };
  return {
    find(keys) {
      for (const key of keys) {
        const client = find(key);
        if (client) return client;
      }
      return undefined;
    },
  };
}

/** 256 random bits, of which only the hash is to be stored: no dictionary finds them, so the hash needs no salt. */
export function newKey(name: string, limits: ClientLimits): { key: string; stored: ClientKey } {
  const key = `tw-${randomHex(32)}`;
  return { key, stored: { name, hash: digestOf(key).toString("hex"), limits, made: Date.now() } };
}

const digestOf = (key: string): Buffer => createHash("sha256").update(key).digest();
