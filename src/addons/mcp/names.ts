/** What tools of servers are called: `mcp__<server>__<tool>`, in letters that every provider takes. */

import { sha256 } from "../../base/crypto.ts";

const namePrefix = "mcp__";
const longest = 64;

/** Names, given once and kept: whoever comes first has the plain one. */
export type Names = { of(server: string, tool: string): string };

export function openNames(): Names {
  const given = new Map<string, string>();
  const taken = new Set<string>();
  return {
    of(server, tool) {
      const key = JSON.stringify([server, tool]);
      const known = given.get(key);
      if (known !== undefined) return known;
      const plain = plainName(server, tool);
      const name = taken.has(plain) || plain.length > longest ? withTail(plain, key) : plain;
      given.set(key, name);
      taken.add(name);
      return name;
    },
  };
}

const plainName = (server: string, tool: string): string =>
  `${namePrefix}${letters(server)}__${letters(tool)}`;

const letters = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]+/gu, "_") || "_";

/** By its hash it stays the same from one session to the next. */
const withTail = (plain: string, key: string): string =>
  `${plain.slice(0, longest - 9)}_${sha256(new TextEncoder().encode(key)).slice(0, 8)}`;
