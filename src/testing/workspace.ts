/** A workspace of real files for one test, in the system's directory for temporary files. */

import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";

/** A workspace of real files, until it is removed. @public */
export type TemporaryWorkspace = {
  /** The real path, without symbolic links. */
  root: string;
  read: (path: string) => Promise<string>;
  /** All files, relative to the root, with "/", sorted; links are listed but not followed. */
  files: () => Promise<string[]>;
  remove: () => Promise<void>;
};

/** Makes a directory with the given files; keys are paths relative to it, written with "/". @public */
export async function temporaryWorkspace(files: Record<string, string>): Promise<TemporaryWorkspace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-")));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return {
    root,
    read: (path) => readFile(join(root, path), "utf8"),
    files: () => filesBelow(root),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function filesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  return paths.map((path) => path.replaceAll(sep, "/")).toSorted();
}
