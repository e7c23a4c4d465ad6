/** Every program that is understood, once. A new one is a row in one of these tables. */

import { mayMatch } from "../judge/names.ts";
import { administration } from "./administration.ts";
import { archives } from "./archives.ts";
import { builds } from "./builds.ts";
import { builtins } from "./builtins.ts";
import { clouds } from "./clouds.ts";
import { containers } from "./containers.ts";
import { databases } from "./databases.ts";
import { editors } from "./editors.ts";
import { files } from "./files.ts";
import { finding } from "./finding.ts";
import { forges } from "./forges.ts";
import { gitTools } from "./git-tools.ts";
import { git } from "./git/git.ts";
import { infrastructure } from "./infrastructure.ts";
import { keyRings } from "./key-rings.ts";
import { languages } from "./languages.ts";
import { looking } from "./looking.ts";
import { network } from "./network.ts";
import { otherSystems } from "./other-systems.ts";
import { packages } from "./packages.ts";
import { permissions } from "./permissions.ts";
import { processes } from "./processes.ts";
import type { Program } from "./program.ts";
import { remote } from "./remote.ts";
import { shells } from "./shells.ts";
import { system } from "./system.ts";
import { text } from "./text.ts";
import { versionsElsewhere } from "./versions-elsewhere.ts";
import { versions } from "./versions.ts";
import { debugWrappers } from "./wrappers-debug.ts";
import { environmentWrappers } from "./wrappers-environment.ts";
import { manyWrappers } from "./wrappers-many.ts";
import { privilegeWrappers } from "./wrappers-privilege.ts";
import { serviceWrappers } from "./wrappers-service.ts";
import { terminalWrappers } from "./wrappers-terminal.ts";
import { wrappers } from "./wrappers.ts";

const programs: readonly Program[] = [
  ...administration,
  ...archives,
  ...builds,
  ...builtins,
  ...clouds,
  ...containers,
  ...databases,
  ...editors,
  ...files,
  ...finding,
  ...forges,
  ...gitTools,
  ...git,
  ...infrastructure,
  ...keyRings,
  ...languages,
  ...looking,
  ...network,
  ...otherSystems,
  ...packages,
  ...permissions,
  ...processes,
  ...remote,
  ...shells,
  ...system,
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

let byName: ReadonlyMap<string, Program> | undefined;

const table = (): ReadonlyMap<string, Program> =>
  (byName ??= new Map(programs.flatMap((row) => row.names.map((name) => [name, row] as const))));

/** By its name or path: without directories, an `.exe`, a version behind it, and in any case of letters. */
export function findProgram(path: string): Program | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const rows = table();
  const plain = name.toLowerCase().replace(/\.exe$/u, "");
  return rows.get(name) ?? rows.get(plain) ?? rows.get(plain.replace(/-?\d+(?:\.\d+)*$/u, ""));
}

const mostAlike = 40;

/** The programs whose names a pattern may mean. */
export function programsLike(pattern: string): { name: string; row: Program }[] {
  const alike: { name: string; row: Program }[] = [];
  for (const [name, row] of table()) {
    if (alike.length >= mostAlike) break;
    if (mayMatch(pattern, name)) alike.push({ name, row });
  }
  return alike;
}
