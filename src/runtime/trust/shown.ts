/** What a person was last shown of what a workspace brings along: a yes that comes later is to just that. */

import type { Brought } from "../../addons/trust.ts";
import { bounds } from "../../base/bounds.ts";
import { parseJson } from "../../base/json.ts";
import { writeAtomically } from "../../base/safe-fs/own-files.ts";
import { readSmallFile } from "../../base/safe-fs/small-file.ts";
import { keyOf, trustFile } from "./trust.ts";

const fileOf = (stateDir: string, workspace: string): string =>
  trustFile(stateDir, workspace).replace(/\.json$/u, ".shown.json");

/** Where it cannot be kept, a yes is to what there is then, as without a look. */
export async function rememberShown(
  stateDir: string,
  workspace: string,
  things: readonly Brought[],
): Promise<void> {
  await keep(stateDir, workspace, things.map(keyOf));
}

/** These were shown besides; where nobody has looked at all of it, nothing is kept. */
export async function rememberAlso(
  stateDir: string,
  workspace: string,
  things: readonly Brought[],
): Promise<void> {
  const shown = shownKeys(stateDir, workspace);
  if (shown) await keep(stateDir, workspace, [...new Set([...shown, ...things.map(keyOf)])]);
}

async function keep(stateDir: string, workspace: string, all: readonly string[]): Promise<void> {
  const keys = all.slice(-bounds.trust.agreed.most);
  await writeAtomically(
    fileOf(stateDir, workspace),
    new TextEncoder().encode(`${JSON.stringify(keys)}\n`),
    0o600,
  );
}

/** Those that were not shown like this, or not at all; none where nobody has looked yet. */
export function notAsShown(stateDir: string, workspace: string, things: readonly Brought[]): Brought[] {
  const shown = shownKeys(stateDir, workspace);
  return shown ? things.filter((thing) => !shown.has(keyOf(thing))) : [];
}

/** Undefined: nobody has looked. */
function shownKeys(stateDir: string, workspace: string): Set<string> | undefined {
  const read = readSmallFile(fileOf(stateDir, workspace), bounds.trust.file.most);
  const json = read.ok && read.value ? parseJson(new TextDecoder().decode(read.value)) : undefined;
  if (!json?.ok || !Array.isArray(json.value)) return undefined;
  const keys: unknown[] = json.value;
  return new Set(keys.filter((key) => typeof key === "string"));
}
