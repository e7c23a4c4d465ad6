/** What tools of servers are called: `mcp__<server>__<tool>`, in letters that every provider takes. */

import { sha256 } from "../../base/crypto.ts";

const namePrefix = "mcp__";
const longest = 64;

/** Names, given once and kept: whoever comes first has the plain one. */
export type Names = { of(server: string, tool: string): string };

/**
 * `servers`: all there are, the most trusted first. Each has a word of its own, whatever it is called: a rule for
 * `mcp__github__*` is meant for one server.
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

/** Of servers. None has `__` in it or an underscore at an end, so that it ends where it seems to. */
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

/** By its hash it stays the same from one session to the next. */
const withTail = (plain: string, key: string): string => `${plain.slice(0, longest - 9)}_${tailOf(key)}`;

const tailOf = (key: string): string => sha256(new TextEncoder().encode(key)).slice(0, 8);
