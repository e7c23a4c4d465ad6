/** The possible locations of configuration files, and which files exist. */

import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { sha256 } from "../base/crypto.ts";
import { realPath } from "../safety/on-disk.ts";

/** In a directory the first existing file is used. */
export const configNames = ["config.jsonc", "config.json"] as const;

/** Whose a file is: the user's, the user's for one workspace, or the workspace's, which comes with its code. */
export const configScopes = ["user", "local", "project"] as const;
export type ConfigScope = (typeof configScopes)[number];

/** `configFile`: a file that was named instead of the user's own. */
type ConfigDirectories = { configDir: string; configFile?: string | undefined; workspace: string };

/** The files of a scope; the first that exists is used, and the first is made if there is none. */
export function placesOf(
  scope: ConfigScope,
  { configDir, configFile, workspace }: ConfigDirectories,
): string[] {
  switch (scope) {
    case "user":
      return configFile === undefined ? configNames.map((name) => join(configDir, name)) : [configFile];
    case "local":
      return configFile !== undefined
        ? []
        : [join(configDir, "workspaces", `${workspaceName(workspace)}.jsonc`)];
    case "project":
      return configNames.map((name) => join(workspace, ".toolwright", name));
    default:
      return scope satisfies never;
  }
}

/** Outside of the workspace, so that no code brings it along: by its last part for people, by a hash for sure. */
function workspaceName(workspace: string): string {
  const real = realPath(workspace) ?? workspace;
  const readable = basename(real).replace(/[^\w.-]+/gu, "-") || "root";
  return `${readable.slice(0, 40)}-${sha256(new TextEncoder().encode(real)).slice(0, 12)}`;
}

/** The configuration files in effect. */
export async function configFiles(directories: ConfigDirectories): Promise<string[]> {
  const found = await Promise.all(configScopes.map((scope) => firstOf(placesOf(scope, directories))));
  return found.flatMap((path) => path ?? []);
}

/** The file of a scope, or where it would be. */
export async function configFileOf(scope: ConfigScope, directories: ConfigDirectories): Promise<string> {
  const places = placesOf(scope, directories);
  return (await firstOf(places)) ?? places[0] ?? "";
}

async function firstOf(places: readonly string[]): Promise<string | undefined> {
  for (const path of places) {
    const there = await stat(path).catch(() => undefined);
    if (there?.isFile()) return path;
  }
  return undefined;
}
