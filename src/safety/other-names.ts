/** Secrets in a workspace under further names: what is a secret's hard link, or a secret link's target, is one as well. */

import type { Stats } from "node:fs";
import { relative, resolve } from "node:path";
import { madeOnce } from "../base/last-made.ts";
import { isWithin } from "../base/paths.ts";
import { realPath, statusOf, targetStatus } from "./on-disk.ts";
import { indexWorkspace } from "./sandbox/workspace-index.ts";
import { isSecretFileName, type SensitiveFiles } from "./sensitive-files.ts";

/** Kept, since an index only looks again at what has changed. */
const indexOf = madeOnce(8, (workspace: string) => indexWorkspace(workspace, isSecretFileName));

/** The same, and for another name of a secret that lies in the workspace what it says about the secret's own. */
export function withOtherNames(sensitive: SensitiveFiles, workspace: string): SensitiveFiles {
  let found: OtherNames | undefined;
  return (path) => {
    const row = sensitive(path);
    if (row !== undefined) return row;
    const at = resolve(workspace, path);
    const stats = targetStatus(at);
    if (stats === undefined) return undefined;
    found ??= lookIn(workspace, sensitive);
    const name = found.files.get(keyOf(stats)) ?? directoryAround(at, found);
    return name === undefined ? undefined : sensitive(name);
  };
}

/** From an identity, and from a resolved directory, to the name by which it is sensitive. */
type OtherNames = { files: Map<string, string>; directories: Map<string, string> };

function lookIn(workspace: string, sensitive: SensitiveFiles): OtherNames {
  const found: OtherNames = { files: new Map(), directories: new Map() };
  for (const path of indexOf(workspace).look().environmentFiles) {
    const own = statusOf(path);
    const name = relative(workspace, path);
    const isElsewhere = own?.isSymbolicLink() === true || (own?.isFile() === true && own.nlink > 1);
    if (!isElsewhere || sensitive(name)?.holds !== "secret") continue;
    const stats = targetStatus(path);
    if (stats?.isDirectory()) found.directories.set(realPath(path) ?? path, name);
    else if (stats) found.files.set(keyOf(stats), name);
  }
  return found;
}

function directoryAround(path: string, { directories }: OtherNames): string | undefined {
  if (directories.size === 0) return undefined;
  const real = realPath(path) ?? path;
  return [...directories].find(([directory]) => isWithin(directory, real))?.[1];
}

const keyOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;
