/** Converts between file URIs and paths of the workspace. */

import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { attempt } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";

/** `path`: relative to the workspace, with forward slashes. */
export const uriOf = (workspace: string, path: string): string => pathToFileURL(join(workspace, path)).href;

/** Absolute; undefined for anything but a local file. */
export function fileOf(uri: unknown): string | undefined {
  if (typeof uri !== "string" || !uri.startsWith("file:")) return undefined;
  return attempt(() => fileURLToPath(uri));
}

/** Relative to the workspace; undefined outside it. */
export function pathOf(workspace: string, uri: unknown): string | undefined {
  const file = fileOf(uri);
  if (file === undefined || file.includes("\0") || !isWithin(workspace, file)) return undefined;
  const path = relative(workspace, file).split(sep).join("/");
  return path === "" ? undefined : path;
}
