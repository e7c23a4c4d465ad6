/** Before the long tests, once for all of them: builds `dist/` when it is missing or older than the sources. */

import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..");

export async function setup(): Promise<void> {
  const built = await changedAt("dist/bin.cjs").catch(() => 0);
  const sources = await readdir(join(root, "src"), { recursive: true, withFileTypes: true });
  const paths = sources
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name));
  const times = await Promise.all(
    [...paths, "package.json", "scripts/build.ts", "scripts/build-page.ts"].map(changedAt),
  );
  if (built > Math.max(...times)) return;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(root, "scripts", "build.ts")]);
  if (stdout + stderr !== "") throw new Error(`The build warns: ${stdout}${stderr}`);
}

const changedAt = async (path: string): Promise<number> => (await stat(resolve(root, path))).mtimeMs;
