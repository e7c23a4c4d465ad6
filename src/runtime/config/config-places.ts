/** Where the configuration may stand, and which of those files there are. */

import { stat } from "node:fs/promises";
import { join } from "node:path";

/** In each place the first that is there counts. */
export const configNames = ["config.jsonc", "config.json"] as const;

/** The files that hold: the user's, the workspace's. */
export async function configFiles({
  configDir,
  workspace,
}: {
  configDir: string;
  workspace: string;
}): Promise<string[]> {
  const places = [configDir, join(workspace, ".toolwright")];
  const found = await Promise.all(places.map(firstIn));
  return found.flatMap((path) => path ?? []);
}

async function firstIn(directory: string): Promise<string | undefined> {
  for (const name of configNames) {
    const path = join(directory, name);
    const there = await stat(path).catch(() => undefined);
    if (there?.isFile()) return path;
  }
  return undefined;
}
