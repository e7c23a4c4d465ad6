/** Finds the directories of a command's programs and their packages, which the sandbox must expose. */

import { dirname, isAbsolute, join, sep } from "node:path";
import { isFile, realPath } from "../../base/paths.ts";

/** Absolute directories. For an installed package, its whole `node_modules`, and Node's own directory. */
export function programPlaces(command: readonly string[], path = ""): string[] {
  const node = path
    .split(":")
    .filter(isAbsolute)
    .map((directory) => join(directory, "node"))
    .find(isFile);
  const files = [...command, ...(node === undefined ? [] : [node])].filter(
    (word) => isAbsolute(word) && isFile(word),
  );
  return [...new Set(files.flatMap((file) => [directoryOf(file), directoryOf(realPath(file) ?? file)]))];
}

/** The outermost `node_modules`, or else the file's directory. */
function directoryOf(file: string): string {
  const parts = dirname(file).split(sep);
  const packages = parts.indexOf("node_modules");
  return packages === -1 ? dirname(file) : parts.slice(0, packages + 1).join(sep);
}
