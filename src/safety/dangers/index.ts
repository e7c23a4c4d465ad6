/**
 * The registry of all programs whose command lines are understood. To support a new one, add a row to one of its
 * tables.
 */

import { compiled } from "../commands/compiled.ts";
import { mayMatch } from "../judge/names.ts";
import { builtins } from "./builtins.ts";
import { containers } from "./containers/docker.ts";
import { dataProgram } from "./data/data-program.ts";
import { files } from "./files/files.ts";
import { finding } from "./files/finding.ts";
import { looking } from "./files/looking.ts";
import { tar } from "./files/tar.ts";
import { git } from "./git/git.ts";
import { languages } from "./languages/languages.ts";
import { network } from "./network/network.ts";
import type { Program } from "./program.ts";
import { shells } from "./shells.ts";
import { permissions } from "./system/permissions.ts";
import { processes } from "./system/processes.ts";
import { editors } from "./text/editors.ts";
import { text } from "./text/text.ts";
import { manyWrappers } from "./wrappers/wrappers-many.ts";

const programs: readonly Program[] = [
  ...builtins,
  ...network,
  tar,
  ...containers,
  ...editors,
  ...files,
  ...finding,
  git,
  ...languages,
  ...looking,
  ...permissions,
  ...processes,
  ...shells,
  ...text,
  ...manyWrappers,
];

let every: readonly Program[] | undefined;
let byName: Map<string, Program> | undefined;

export const everyProgram = (): readonly Program[] => (every ??= [...programs, ...compiled.map(dataProgram)]);

/** By name. Only the script that measures rows takes any out. */
export const programTable = (): Map<string, Program> =>
  (byName ??= new Map(everyProgram().flatMap((row) => row.names.map((name) => [name, row] as const))));

/** Looks a program up by name or path, ignoring directories, an `.exe` suffix, a version suffix and letter case. */
export function findProgram(path: string): Program | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const rows = programTable();
  const plain = name.toLowerCase().replace(/\.exe$/u, "");
  return rows.get(name) ?? rows.get(plain) ?? rows.get(plain.replace(/-?\d+(?:\.\d+)*$/u, ""));
}

const mostAlike = 40;

/** The programs whose names match a pattern. */
export function programsLike(pattern: string): { name: string; row: Program }[] {
  const alike: { name: string; row: Program }[] = [];
  for (const [name, row] of programTable()) {
    if (alike.length >= mostAlike) break;
    if (mayMatch(pattern, name)) alike.push({ name, row });
  }
  return alike;
}
