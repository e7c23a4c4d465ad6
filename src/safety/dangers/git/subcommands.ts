/** git's subcommands, from the data: what they do, and what the sandbox's profile for git can serve. */

import { compiled } from "../../commands/compiled.ts";
import { dataProgram } from "../data/data-program.ts";
import { namesIn } from "../parts.ts";
import type { Program, Use } from "../program.ts";
import { isAsking } from "./settings.ts";

type Holds = (use: Use) => boolean;

type Subcommand = {
  readonly row: Program;
  /** Works on this repository alone: no other host, no settings, no third-party program. */
  readonly isLocal: Holds;
  /** Only looks, if it is local. */
  readonly isReading: Holds;
  /** Asks the repository's own remotes, as far as its options tell. */
  readonly isFetching: Holds;
};

/** `local unless --x`, `reads only none list`: words are the first operand, or say how many there are. */
function holdsOf(text: string, kind: "local" | "reads" | "fetches"): Holds | undefined {
  const piece = text.split("; ").find((one) => one.startsWith(kind));
  if (piece === undefined) return undefined;
  const [, only, unless, all] = /^\w+(?: only (.*?))?(?: unless (.*?))?(?: with (.*))?$/u.exec(piece) ?? [];
  const needed = only === undefined ? undefined : namesIn(only);
  const refused = namesIn(unless ?? "");
  const known = all === undefined ? undefined : new Set(namesIn(all).map(withoutDashes));
  return (use) =>
    (!needed || meets(use, needed)) &&
    !meets(use, refused) &&
    (!known || use.options.every(({ name }) => known.has(name)));
}

const withoutDashes = (option: string): string => option.replace(/^--?/u, "");

const meets = (use: Use, conditions: readonly string[]): boolean =>
  conditions.some((word) => {
    if (word.startsWith("-")) return use.has(withoutDashes(word));
    if (word === "none") return use.operands.length === 0;
    if (word === "one") return use.operands.length === 1;
    return word === "asking" ? isAsking(use) : use.operands[0]?.text === word;
  });

let byName: ReadonlyMap<string, Subcommand> | undefined;

/** Also programs that others have made for git: `git lfs` is `git-lfs`. */
export const subcommands = (): ReadonlyMap<string, Subcommand> =>
  (byName ??= new Map(
    compiled.flatMap((data) => {
      const names = namesIn(data.programs).filter((name) => name.startsWith("git-"));
      if (names.length === 0) return [];
      const isReading = holdsOf(data.git ?? "", "reads") ?? (() => false);
      const isLocal = holdsOf(data.git ?? "", "local") ?? isReading;
      const isFetching = holdsOf(data.git ?? "", "fetches") ?? (() => false);
      const row = dataProgram(data);
      return names.map((name): [string, Subcommand] => [
        name.slice(4),
        { row, isLocal, isReading, isFetching },
      ]);
    }),
  ));
