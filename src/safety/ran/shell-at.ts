/** The shell in which a trusted command begins: what is known about its variables. */

import { exportVariable, openShell, setVariable, type Shell } from "../command-line/shell.ts";
import { literal } from "../command-line/word.ts";
import type { Around } from "../dangers/program.ts";

/** `script`: the absolute path of the file whose text it runs. */
export function shellAt(around: Around, script?: string): Shell {
  const shell = openShell(around);
  const workspace = [literal(around.workspace)];
  for (const name of ["CLAUDE_PROJECT_DIR", "TOOLWRIGHT_HOOK_WORKSPACE"])
    exportVariable(shell, name, workspace);
  if (around.directory !== undefined) setVariable(shell, "PWD", [literal(around.directory)]);
  if (script !== undefined) {
    for (const name of ["0", "BASH_SOURCE"]) setVariable(shell, name, [literal(script)]);
  }
  return shell;
}

/** A common way to say it: where there is no repository, the second command prints the same directory. */
export const withoutDoubt = (line: string): string =>
  line.replaceAll(
    /(git\s+rev-parse\s+--show-toplevel)\s+2>\s*\/dev\/null\s*\|\|\s*(?:pwd|echo\s+\.)/gu,
    "$1",
  );
