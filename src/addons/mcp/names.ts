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
  for (const server of servers) words(server);
  const names = givenOnce((server, tool) => {
    const plain = `${namePrefix}${words(server)}__${letters(tool)}`;
    const other = `${plain.slice(0, longest - 9)}_${tailOf(JSON.stringify([server, tool]))}`;
    return plain.length > longest ? [other] : [plain, other];
  });
  return { of: names };
}

/** Server prefixes. None contains `__` or ends in an underscore, so the boundary to the tool is unambiguous. */
const openWords = () =>
  givenOnce((server: string) => {
    const plain = letters(server).replaceAll(/_+/gu, "_").replace(/^_|_$/gu, "") || "server";
    return [plain, `${plain}-${tailOf(server)}`];
  });

/** The same name for the same thing; `choices`: the last is taken if the one before is another's. */
function givenOnce<Thing extends readonly string[]>(
  choices: (...thing: Thing) => readonly string[],
): (...thing: Thing) => string {
  const given = new Map<string, string>();
  const taken = new Set<string>();
  return (...thing) => {
    const key = JSON.stringify(thing);
    const all = choices(...thing);
    const name = given.get(key) ?? all.find((one) => !taken.has(one)) ?? all.at(-1) ?? "";
    given.set(key, name);
    taken.add(name);
    return name;
  };
}

const letters = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]+/gu, "_") || "_";

/** A hash keeps the name the same across sessions. */
const tailOf = (key: string): string => sha256(new TextEncoder().encode(key)).slice(0, 8);
