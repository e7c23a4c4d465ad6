/** The programs of the data, by name; a subcommand of git or docker has a name of its own: `git-log`, `docker-run`. */

import { compiled } from "../../commands/compiled.ts";
import type { Program } from "../program.ts";
import { dataProgram } from "./data-program.ts";

let byName: ReadonlyMap<string, Program> | undefined;

export const compiledPrograms = (): ReadonlyMap<string, Program> =>
  (byName ??= new Map(
    compiled.map(dataProgram).flatMap((row) => row.names.map((name) => [name, row] as const)),
  ));
