/** The possible locations of configuration files, and which files exist. */

import { stat } from "node:fs/promises";
import { join } from "node:path";

/** In each location the first existing file is used. */
export const configNames = ["config.jsonc", "config.json"] as const;

/** The configuration files in effect: the user's (`configFile`, if one was named) and the workspace's. */
export async function configFiles({
  configDir,
  configFile,
  workspace,
}: {
  configDir: string;
  configFile: string | undefined;
  workspace: string;
}): Promise<string[]> {
  const found = [configFile ?? (await firstIn(configDir)), await firstIn(join(workspace, ".toolwright"))];
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
