/** The environment variables that the configuration names as holding keys, whatever they are called. */

import { isObject } from "../base/json.ts";
import type { Config } from "./config.ts";

/** Named as a provider's key, or in the headers of a provider or tool server. */
export function keyVariables({ providers, addons }: Pick<Config, "providers" | "addons">): string[] {
  const own = Object.values(providers).flatMap(({ keyVariable, headers }) => [
    ...(keyVariable === undefined ? [] : [keyVariable]),
    ...namedIn(headers),
  ]);
  const servers = isObject(addons.user) ? addons.user["mcpServers"] : undefined;
  const given = isObject(servers) ? Object.values(servers) : [];
  return [...own, ...given.flatMap((server) => (isObject(server) ? namedIn(server["headers"]) : []))];
}

function namedIn(headers: unknown): string[] {
  const texts = isObject(headers) ? Object.values(headers).filter((text) => typeof text === "string") : [];
  const names = texts.flatMap((text) => [...text.matchAll(/\$\{(\w+)/gu)].map(([, name = ""]) => name));
  return names.filter((name) => !needed.has(name));
}

/** Not secret, and hardly a program works without them. */
const needed: ReadonlySet<string> = new Set([
  "HOME",
  "USER",
  "LOGNAME",
  "PATH",
  "PWD",
  "SHELL",
  "LANG",
  "TERM",
]);
