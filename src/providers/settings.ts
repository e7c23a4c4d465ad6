/**
 * The catalog as the user's settings change it: other keys and addresses for known providers, and servers of their own.
 */

import type { WireName } from "../wires/wire.ts";
import { anyServer, catalog, speaking, type Provider } from "./catalog.ts";

/**
 * What the user says of one provider. A known one keeps the rest of its row; `baseUrl` has the wire's version prefix.
 */
type ProviderSettings = {
  baseUrl?: string | undefined;
  key?: string | undefined;
  /** The environment variable that holds the key, instead of the usual ones. */
  keyVariable?: string | undefined;
  wire?: WireName | undefined;
  /** Headers of every request, over those of the wire; `${NAME}` in them is a variable of the environment. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Its models, for a server that does not list them itself. The first is used when none is named. */
  models?: readonly string[] | undefined;
};

export type AllSettings = Readonly<Record<string, ProviderSettings>>;

/** The user's own servers, then the catalog. Names count without their case. */
export function providersWith(all: AllSettings): readonly Provider[] {
  const own = Object.entries(all)
    .filter(([name]) => !isKnown(name))
    .map(([name, settings]) => ownProvider(name, settings));
  const known = catalog.map((row) =>
    Object.entries(all)
      .filter(([name]) => sameName(name, row.name))
      .reduce((changed, [, settings]) => change(changed, settings), row),
  );
  return [...own, ...known];
}

/** Whether the catalog has a provider of this name. */
const isKnown = (name: string): boolean => catalog.some((row) => sameName(row.name, name));

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Like a server that is named by its URL: nobody knows more of it than the user says, and it may be slow. */
function ownProvider(name: string, settings: ProviderSettings): Provider {
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
    ifSilent: `Start ${name}, or fix its baseUrl in the configuration`,
  };
  return change(row, settings);
}

function change(row: Provider, settings: ProviderSettings): Provider {
  const { baseUrl, key, keyVariable, wire, headers, models } = settings;
  const [first] = models ?? [];
  return {
    ...row,
    ...(wire === undefined || wire === row.wire ? {} : speaking(wire)),
    ...(baseUrl === undefined ? {} : { baseUrl, baseUrlFrom: undefined }),
    ...(keyVariable === undefined ? {} : { keyNames: [keyVariable] }),
    ...(key === undefined ? {} : { key }),
    ...(headers === undefined ? {} : { headers }),
    ...(models === undefined || first === undefined ? {} : { models, defaultModel: first }),
  };
}
