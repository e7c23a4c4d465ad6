/** The catalog with the user's settings applied: other keys and addresses for known providers, and own servers. */

import type { WireName } from "../wires/wire.ts";
import type { ConstraintKind } from "./capabilities.ts";
import { anyServer, catalog, wireFields, type Provider } from "./catalog.ts";

/**
 * The user's settings for one provider. A known one keeps the rest of its row; `baseUrl` includes the wire's version
 * prefix.
 */
type ProviderOverrides = {
  baseUrl?: string | undefined;
  key?: string | undefined;
  /** The environment variable that holds the key, in place of the usual ones. */
  keyVariable?: string | undefined;
  wire?: WireName | undefined;
  /** Headers of every request, overriding those of the wire; `${NAME}` in them is an environment variable. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Its models, for a server that does not list them. The first is used if none is named. */
  models?: readonly string[] | undefined;
  /** What the server holds a model to while it writes; an empty list for nothing. */
  constraints?: readonly ConstraintKind[] | undefined;
};

export type AllSettings = Readonly<Record<string, ProviderOverrides>>;

/**
 * The user's own servers, then the catalog. Names are case-insensitive. `kept`: the keys that were handed over, by names
 * in lower case.
 */
export function providersWith(
  all: AllSettings,
  kept: Readonly<Record<string, string>> = {},
): readonly Provider[] {
  const own = Object.entries(all)
    .filter(([name]) => !isKnown(name))
    .map(([name, settings]) => ownProvider(name, settings));
  const known = catalog.map((row) =>
    Object.entries(all)
      .filter(([name]) => sameName(name, row.name))
      .reduce((changed, [, settings]) => change(changed, settings), row),
  );
  return [...own, ...known].map((row) => {
    const key = kept[row.name.toLowerCase()];
    return key === undefined ? row : { ...row, keptKey: key };
  });
}

/** Whether the catalog has a provider of this name. */
const isKnown = (name: string): boolean => catalog.some((row) => sameName(row.name, name));

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Like a server named by its URL: only the user's settings describe it, and it may be slow. */
function ownProvider(name: string, settings: ProviderOverrides): Provider {
  const like = catalog.find((row) => row.name === anyServer);
  if (!like) throw new Error(`The catalog has no ${anyServer}.`);
  const needsKey = settings.key !== undefined || settings.keyVariable !== undefined;
  const row: Provider = {
    ...like,
    name,
    title: name,
    baseUrlFrom: undefined,
    keyNames: [],
    needsKey,
    isOwn: true,
    isUsual: !needsKey,
    unreachableAdvice: `Start ${name}, or fix its baseUrl in the configuration`,
  };
  return change(row, settings);
}

function change(row: Provider, settings: ProviderOverrides): Provider {
  const { baseUrl, key, keyVariable, wire, headers, models, constraints } = settings;
  const [first] = models ?? [];
  return {
    ...row,
    ...(wire === undefined || wire === row.wire ? {} : wireFields(wire)),
    ...(baseUrl === undefined ? {} : { baseUrl, baseUrlFrom: undefined }),
    ...(keyVariable === undefined ? {} : { keyNames: [keyVariable] }),
    ...(key === undefined ? {} : { key }),
    ...(headers === undefined ? {} : { headers }),
    ...(constraints === undefined ? {} : { constraints }),
    ...(models === undefined || first === undefined ? {} : { models, defaultModel: first }),
  };
}
