/** Locates a project's installed libraries for a server, so that it need not run the project's interpreter. */

import { join } from "node:path";
import type { JsonObject } from "../../base/json.ts";
import { directoriesUp, statsBehind } from "../../base/paths.ts";
import { namesIn } from "./places.ts";
import type { ServerRow } from "./rows.ts";

const installers = ["node_modules", "node_modules/.package-lock.json", "node_modules/.modules.yaml"];

/**
 * Changes after an install or removal. Servers search for libraries only at startup, and nothing reports thousands of
 * new files to them.
 */
export function installedIn(root: string, workspace: string): string {
  const packages = directoriesUp(workspace, root).flatMap((at) => installers.map((name) => join(at, name)));
  return [...packages, ...librariesIn(root)].map((path) => statsBehind(path)?.mtimeMs).join(" ");
}

/** Settings with these locations, below the server's directory. */
export function librarySettings({ libraries = [] }: ServerRow, root: string): JsonObject {
  const [first] = libraries.length === 0 ? [] : librariesIn(root);
  if (first === undefined) return {};
  return Object.fromEntries(libraries.map((section) => [section, { analysis: { extraPaths: [first] } }]));
}

/** Where a Python project's own environments hold them. */
const librariesIn = (root: string): string[] =>
  [".venv", "venv"].flatMap((environment) => {
    const lib = join(root, environment, "lib");
    return namesIn(lib).flatMap(({ name, isDirectory }) =>
      isDirectory ? [join(lib, name, "site-packages")] : [],
    );
  });
