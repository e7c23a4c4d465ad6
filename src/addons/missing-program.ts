/** Explains why a program that the user configured could not be started: which program, and how to fix it. */

import { constants } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { EnvironmentVariables } from "../base/environment-variables.ts";
import { isFile, isFolder, mayAccess } from "../base/paths.ts";

type ProgramSurroundings = { directory: string; env: EnvironmentVariables };

/** Undefined: the program exists and is executable, so the cause lies elsewhere. The text has no full stop. */
export async function whyMissing(
  program: string,
  { directory, env }: ProgramSurroundings,
): Promise<string | undefined> {
  if (!isFolder(directory)) return `there is no directory ${directory} to start it in`;
  const isPath = program.includes("/");
  const paths = isPath
    ? [isAbsolute(program) ? program : resolve(directory, program)]
    : (env["PATH"] ?? "").split(delimiter).map((place) => join(place, program));
  if (await any(paths.filter(isFile), constants.X_OK)) return undefined;
  if (await any(paths, constants.F_OK))
    return `the program ${program} is there but may not be executed: make it executable (chmod +x)`;
  return isPath
    ? `there is no program ${paths[0]}: fix its path, or put it there`
    : `the program ${program} was not found on the PATH: install it, or name it with its whole path`;
}

const any = async (paths: readonly string[], mode: number): Promise<boolean> =>
  (await Promise.all(paths.map((path) => mayAccess(path, mode)))).includes(true);
