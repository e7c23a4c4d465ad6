/** Installs the agents of a package.json, once for each lockfile, outside the checkout's own install. */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, cp, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const caches = join(import.meta.dirname, "..", "..", "node_modules", ".cache");
const manifests = ["package.json", "package-lock.json"];

/**
 * The directory of their packages, in the cache of this name and named after the lockfile's hash once complete; others
 * there are removed. The manifests beside this file by default.
 */
export async function installedAgents(
  directory = import.meta.dirname,
  cacheName = "agents",
): Promise<string> {
  const lock = await readFile(join(directory, "package-lock.json"));
  const name = createHash("sha256").update(lock).digest("hex").slice(0, 16);
  const cache = join(caches, cacheName);
  const packages = join(cache, name, "node_modules");
  const isThere = await access(packages).then(
    () => true,
    () => false,
  );
  if (!isThere) await install(directory, cache, name);
  return packages;
}

/** Install scripts are skipped: they would build native parts that nothing here needs. */
async function install(directory: string, cache: string, name: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const older = await readdir(cache);
  // npm refuses to install into a symlinked directory.
  const place = await mkdtemp(join(await realpath(cache), "unfinished-"));
  for (const manifest of manifests) await cp(join(directory, manifest), join(place, manifest));
  const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` };
  await promisify(execFile)("npm", ["ci", ...flags, "--prefix", place], { cwd: place, env });
  await rename(place, join(cache, name)).catch(() => rm(place, { recursive: true }));
  for (const left of older) await rm(join(cache, left), { recursive: true, force: true });
}
