/** Finds the programs of a configuration by name. */

import { namesMeant, type Program } from "../program.ts";
import { dataProgram } from "./data-program.ts";
import type { PlacedRow } from "./row.ts";

const compiled = new WeakMap<readonly PlacedRow[], ReadonlyMap<string, Program>>();

export function ownProgram(rows: readonly PlacedRow[] | undefined, path: string): Program | undefined {
  if (rows === undefined || rows.length === 0) return undefined;
  let byName = compiled.get(rows);
  if (!byName) {
    const programs = rows.map(dataProgram);
    byName = new Map(programs.flatMap((program) => program.names.map((name) => [name, program] as const)));
    compiled.set(rows, byName);
  }
  for (const name of namesMeant(path)) if (byName.has(name)) return byName.get(name);
  return undefined;
}
