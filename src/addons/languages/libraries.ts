/**
 * Where a project's installed libraries are, told to a server so that it need not run an interpreter of the project's.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../base/json.ts";
import { namesIn, upTo } from "./places.ts";
import type { ServerRow } from "./rows.ts";

const installers = ["node_modules", "node_modules/.package-lock.json", "node_modules/.modules.yaml"];
const environments = [".venv", "venv"];

/**
 * Differs once something was installed or removed: servers look for libraries when they start, and nobody tells them of
 * thousands of new files.
 */
export function installedIn(root: string, workspace: string): string {
  const packages = upTo(workspace, root).flatMap((at) => installers.map((name) => join(at, name)));
  const libraries = environments.flatMap((environment) => {
    const lib = join(root, environment, "lib");
    return namesIn(lib).map(({ name }) => join(lib, name, "site-packages"));
  });
  const times = [...packages, ...libraries].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs);
  return times.join(" ");
}

/** Settings with these places, below the directory of the server. */
export function librarySettings({ libraries }: ServerRow, root: string): JsonObject {
  if (!libraries) return {};
  const found = libraries.environments.flatMap((environment) => {
    const versions = namesIn(join(root, environment, "lib")).filter(({ isDirectory }) => isDirectory);
    return versions.map(({ name }) => join(root, environment, "lib", name, libraries.below));
  });
  const [first] = found;
  if (first === undefined) return {};
  return libraries.settings.reduce<JsonObject>(
    (all, section) => ({ ...all, [section]: { analysis: { extraPaths: [first] } } }),
    {},
  );
}
