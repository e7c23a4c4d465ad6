/**
 * The registry of all programs whose command lines are understood. To support a new one, add a row to one of its
 * tables.
 */

import { isUnknown, literal } from "../command-line/word.ts";
import { mayMatch } from "../judge/names.ts";
import { containers } from "./containers/docker.ts";
import { compiledPrograms } from "./data/compiled-programs.ts";
import { ownProgram } from "./data/data-program.ts";
import type { OwnPrograms } from "./data/row.ts";
import { git } from "./git/git.ts";
import { namesMeant, type Program } from "./program.ts";

let byName: Map<string, Program> | undefined;

/** By name. Only the script that measures rows takes any out. */
export const programTable = (): Map<string, Program> =>
  (byName ??= new Map([
    ...compiledPrograms(),
    ...[...containers, git].flatMap((row) => row.names.map((name) => [name, row] as const)),
  ]));

export const everyProgram = (): readonly Program[] => [...new Set(programTable().values())];

/** Looks a program up by name or path: in the user's own rows first. */
export function findProgram(path: string, own?: OwnPrograms): Program | undefined {
  const rows = programTable();
  const known = namesMeant(path).find((name) => rows.has(name)) ?? "";
  return ownProgram(own?.user, path) ?? rows.get(known);
}

const mostAlike = 40;

/** The programs whose names match a pattern. Without a star, only names of its length do. */
export function programsLike(pattern: string): { name: string; row: Program }[] {
  const { length } = pattern.replaceAll(/\[[^\]]*\]/gu, "?");
  const isOpen = pattern.includes("*") || isUnknown(literal(pattern));
  return [...programTable()]
    .filter(([name]) => (isOpen || name.length === length) && mayMatch(pattern, name))
    .slice(0, mostAlike)
    .map(([name, row]) => ({ name, row }));
}
