/** git's subcommands, from the data: what they do, and what the sandbox's profile for git can serve. */

import { compiledPrograms } from "../data/compiled-programs.ts";
import { namesIn } from "../parts.ts";
import type { Program, Use } from "../program.ts";
import { isAsking } from "./settings.ts";

/** Also programs that others have made for git: `git lfs` is `git-lfs`. */
export const subcommand = (verb: string): Program | undefined => compiledPrograms().get(`git-${verb}`);

/**
 * Whether the row says so of such a use. `local`: works on this repository alone, no other host, no settings, no
 * third-party program; `reads`: only looks, if it is local; `fetches`: asks the repository's own remotes.
 */
export function isServed(row: Program, kind: "local" | "reads" | "fetches", use: Use): boolean {
  const piece = row.git?.split("; ").find((one) => one.startsWith(kind));
  if (piece === undefined) return kind === "local" && isServed(row, "reads", use);
  // `local unless --x`, `reads only none list`: words are the first operand, or say how many there are.
  const [, only, unless = "", all] =
    /^\w+(?: only (.*?))?(?: unless (.*?))?(?: with (.*))?$/u.exec(piece) ?? [];
  const known = all === undefined ? undefined : new Set(namesIn(all).map(withoutDashes));
  return (
    (only === undefined || meets(use, namesIn(only))) &&
    !meets(use, namesIn(unless)) &&
    (!known || use.options.every(({ name }) => known.has(name)))
  );
}

const withoutDashes = (option: string): string => option.replace(/^--?/u, "");

const meets = (use: Use, conditions: readonly string[]): boolean =>
  conditions.some((word) => {
    if (word.startsWith("-")) return use.has(withoutDashes(word));
    if (word === "none") return use.operands.length === 0;
    if (word === "one") return use.operands.length === 1;
    return word === "asking" ? isAsking(use) : use.operands[0]?.text === word;
  });
