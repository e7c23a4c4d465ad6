/**
 * The registry of all programs whose command lines are understood. To support a new one, add a row to one of its
 * tables.
 */

import { compiled } from "../commands/compiled.ts";
import { mayMatch } from "../judge/names.ts";
import { builtins } from "./builtins.ts";
import { containers } from "./containers/containers.ts";
import { dataProgram } from "./data/data-program.ts";
import { databases } from "./databases/databases.ts";
import { archives } from "./files/archives.ts";
import { files } from "./files/files.ts";
import { finding } from "./files/finding.ts";
import { looking } from "./files/looking.ts";
import { gitTools } from "./git/git-tools.ts";
import { git } from "./git/git.ts";
import { languages } from "./languages/languages.ts";
import { keyRings } from "./network/key-rings.ts";
import { network } from "./network/network.ts";
import { remote } from "./network/remote.ts";
import { packages } from "./packages/packages.ts";
import type { Program } from "./program.ts";
import { shells } from "./shells.ts";
import { permissions } from "./system/permissions.ts";
import { processes } from "./system/processes.ts";
import { editors } from "./text/editors.ts";
import { text } from "./text/text.ts";
import { versionsElsewhere } from "./versions/versions-elsewhere.ts";
import { versions } from "./versions/versions.ts";
import { debugWrappers } from "./wrappers/wrappers-debug.ts";
import { environmentWrappers } from "./wrappers/wrappers-environment.ts";
import { manyWrappers } from "./wrappers/wrappers-many.ts";
import { privilegeWrappers } from "./wrappers/wrappers-privilege.ts";
import { serviceWrappers } from "./wrappers/wrappers-service.ts";
import { terminalWrappers } from "./wrappers/wrappers-terminal.ts";
import { wrappers } from "./wrappers/wrappers.ts";

const programs: readonly Program[] = [
  ...archives,
  ...builtins,
  ...containers,
  ...databases,
  ...editors,
  ...files,
  ...finding,
  ...gitTools,
  ...git,
  ...keyRings,
  ...languages,
  ...looking,
  ...network,
  ...packages,
  ...permissions,
  ...processes,
  ...remote,
  ...shells,
  ...text,
  ...versionsElsewhere,
  ...versions,
  ...debugWrappers,
  ...environmentWrappers,
  ...manyWrappers,
  ...privilegeWrappers,
  ...serviceWrappers,
  ...terminalWrappers,
  ...wrappers,
];

let byName: Map<string, Program> | undefined;

/** By name. Only the script that measures rows takes any out. */
export const programTable = (): Map<string, Program> =>
  (byName ??= new Map(
    [...programs, ...compiled.map(dataProgram)].flatMap((row) =>
      row.names.map((name) => [name, row] as const),
    ),
  ));

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
