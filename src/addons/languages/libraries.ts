/** Locates a project's installed libraries for a server, so that it need not run the project's interpreter. */

import { join } from "node:path";
import type { JsonObject } from "../../base/json.ts";
import { directoriesUp, statsBehind } from "../../base/paths.ts";
import { namesIn } from "./places.ts";
import type { ServerRow } from "./rows.ts";

const installers = ["node_modules", "node_modules/.package-lock.json", "node_modules/.modules.yaml"];
const environments = [".venv", "venv"];

/**
 * Changes after an install or removal. Servers search for libraries only at startup, and nothing reports thousands of
 * new files to them.
 */
export function installedIn(root: string, workspace: string): string {
  const packages = directoriesUp(workspace, root).flatMap((at) => installers.map((name) => join(at, name)));
  const libraries = environments.flatMap((environment) => {
    const lib = join(root, environment, "lib");
    return namesIn(lib).map(({ name }) => join(lib, name, "site-packages"));
  });
  const times = [...packages, ...libraries].map((path) => statsBehind(path)?.mtimeMs);
  return times.join(" ");
}

/** Settings with these locations, below the server's directory. */
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
