/** Names the tools of servers: `mcp__<server>__<tool>`, in characters that every provider accepts. */

import { sha256 } from "../../base/crypto.ts";

const namePrefix = "mcp__";
const longest = 64;

/** Assigns stable, unique names: the first to claim one gets it without a suffix. */
export type Names = { of(server: string, tool: string): string };

/**
 * `servers`: all of them, most trusted first. Each gets its own prefix, so that a rule for `mcp__github__*` matches one
 * server only.
 */
export function openNames(servers: readonly string[] = []): Names {
  const words = openWords();
  for (const server of servers) words.of(server);
  const given = new Map<string, string>();
  const taken = new Set<string>();
  return {
    of(server, tool) {
      const key = JSON.stringify([server, tool]);
      const known = given.get(key);
      if (known !== undefined) return known;
      const plain = `${namePrefix}${words.of(server)}__${letters(tool)}`;
      const name = taken.has(plain) || plain.length > longest ? withTail(plain, key) : plain;
      given.set(key, name);
      taken.add(name);
      return name;
    },
  };
}

/** Server prefixes. None contains `__` or ends in an underscore, so the boundary to the tool is unambiguous. */
function openWords(): { of(server: string): string } {
  const given = new Map<string, string>();
  const taken = new Set<string>();
  return {
    of(server) {
      const known = given.get(server);
      if (known !== undefined) return known;
      const plain = letters(server).replaceAll(/_+/gu, "_").replace(/^_|_$/gu, "") || "server";
      const word = taken.has(plain) ? `${plain}-${tailOf(server)}` : plain;
      given.set(server, word);
      taken.add(word);
      return word;
    },
  };
}

const letters = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]+/gu, "_") || "_";

/** A hash keeps the name the same across sessions. */
const withTail = (plain: string, key: string): string => `${plain.slice(0, longest - 9)}_${tailOf(key)}`;

const tailOf = (key: string): string => sha256(new TextEncoder().encode(key)).slice(0, 8);
