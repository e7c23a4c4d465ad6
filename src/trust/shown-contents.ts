/** Records what a person was last shown of a workspace's contents, so that a later approval covers exactly that. */

import type { TrustItem } from "../addons/trust.ts";
import { mostStateFileBytes } from "../base/bounds.ts";
import { parseJson } from "../base/json.ts";
import { writeAtomically } from "../base/safe-fs/own-files.ts";
import { readSmallFile } from "../base/safe-fs/small-file.ts";
import { trustFile } from "./approvals-file.ts";
import { trustBounds } from "./bounds.ts";
import { keyOf } from "./trust.ts";

const fileOf = (stateDir: string, workspace: string): string =>
  trustFile(stateDir, workspace).replace(/\.json$/u, ".shown.json");

/** If this cannot be stored, an approval covers the contents at that time, as if nothing had been shown. */
export async function rememberShown(
  stateDir: string,
  workspace: string,
  things: readonly TrustItem[],
): Promise<void> {
  await keep(stateDir, workspace, things.map(keyOf));
}

/** Adds to what was shown; does nothing if the person has never been shown the whole list. */
export async function rememberAlso(
  stateDir: string,
  workspace: string,
  things: readonly TrustItem[],
): Promise<void> {
  const shown = shownKeys(stateDir, workspace);
  if (shown) await keep(stateDir, workspace, [...new Set([...shown, ...things.map(keyOf)])]);
}

async function keep(stateDir: string, workspace: string, all: readonly string[]): Promise<void> {
  const keys = all.slice(-trustBounds.agreed.most);
  await writeAtomically(
    fileOf(stateDir, workspace),
    new TextEncoder().encode(`${JSON.stringify(keys)}\n`),
    0o600,
  );
}

/** Things shown differently or not at all; none if nothing has been shown yet. */
export function notAsShown(stateDir: string, workspace: string, things: readonly TrustItem[]): TrustItem[] {
  const shown = shownKeys(stateDir, workspace);
  return shown ? things.filter((thing) => !shown.has(keyOf(thing))) : [];
}

/** Undefined: nothing has been shown. */
function shownKeys(stateDir: string, workspace: string): Set<string> | undefined {
  const read = readSmallFile(fileOf(stateDir, workspace), mostStateFileBytes);
  const json = read.ok && read.value ? parseJson(new TextDecoder().decode(read.value)) : undefined;
  if (!json?.ok || !Array.isArray(json.value)) return undefined;
  const keys: unknown[] = json.value;
  return new Set(keys.filter((key) => typeof key === "string"));
}
