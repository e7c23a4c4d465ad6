/**
 * A workspace, a home and a configuration directory with files, for tests of instructions that people write for agents.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AddonOpener } from "../addons/part.ts";
import type { AddonDirectories } from "../addons/part.ts";
import type { Trust } from "../addons/trust.ts";
import { openParts } from "../runtime/addons/session-addons.ts";
import type { OpenAddons } from "../runtime/session-setup.ts";
import { filesRunBy } from "../safety/ran/ran.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "./workspace.ts";

export type WrittenFiles = AddonDirectories & AsyncDisposable & { root: string; tree: TemporaryWorkspace };

/** Keys begin with `work/`, `home/` or `config/`. */
export async function placeWith(files: Record<string, string>): Promise<WrittenFiles> {
  const all = await temporaryWorkspace(files);
  const place = {
    workspace: join(all.root, "work"),
    home: join(all.root, "home"),
    configDir: join(all.root, "config"),
  };
  for (const path of Object.values(place)) await mkdir(path, { recursive: true });
  return {
    ...place,
    withheld: () => undefined,
    root: all.root,
    tree: { ...all, root: place.workspace },
    [Symbol.asyncDispose]: () => all.remove(),
  };
}

export async function putFile(path: string, text: string | Uint8Array, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode });
}

export const nothingTrusted: Trust = {
  allows: () => false,
  filesRun: async () => filesRunBy,
  waiting: () => [],
};

/** Opens these parts for a test session. */
export const partsAt =
  (place: AddonDirectories, parts: readonly AddonOpener[], trust: Trust = nothingTrusted): OpenAddons =>
  (session) =>
    openParts(parts, { ...place, stateDir: place.configDir, environment: {}, trust, ...session });
