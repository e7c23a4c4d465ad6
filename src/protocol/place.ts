/** Describes where a command runs, in words. */

import type { ExecutionLocation } from "./facts.ts";

/** For example "typed into bash in docs"; empty for a command that runs in the workspace root. */
export function placeWords({ into, directory }: ExecutionLocation = {}): string {
  const typed = into === "" ? "whatever reads" : into;
  return [
    ...(typed === undefined ? [] : [`typed into ${inOneLine(typed)}`]),
    ...(directory === undefined ? [] : [`in ${inOneLine(directory)}`]),
  ].join(" ");
}

/** A line break in a name must not look like the end of the name. */
const inOneLine = (name: string): string => (/\p{Cc}/u.test(name) ? JSON.stringify(name) : name);
