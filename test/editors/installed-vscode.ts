/** Installs VS Code as a server from npm alone, once for each version, outside the checkout's own install. */

import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, readdir, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** It carries VS Code 1.139.1, and lockfiles of its own that fix everything else. */
const version = "4.139.1";

const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "editors");
const packagePath = join("node_modules", "code-server");
const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];

/** The Node that runs it, its file, what it is always told, and settings of its machine. */
export type InstalledVSCode = {
  node: string;
  entry: string;
  flags: readonly string[];
  machine: Record<string, unknown>;
};

/** Without this grace time, a window that was closed keeps its extension host for three hours. */
const lifetime = ["--reconnection-grace-time", "2"];

/**
 * In a directory named after the version once complete; others are removed. `TOOLWRIGHT_CODE_SERVER` names another one,
 * installed elsewhere: the paths of a Node and of the file, with a space between them.
 */
export async function installedVSCode(): Promise<InstalledVSCode> {
  const [node, entry] = (process.env["TOOLWRIGHT_CODE_SERVER"] ?? "").split(" ");
  // An older one does not know the flag, and its Node may be too old for the core.
  if (node && entry) return { node, entry, flags: [], machine: { "toolwright.node": process.execPath } };
  const place = join(cache, `code-server-${version}`);
  const isThere = await access(place).then(
    () => true,
    () => false,
  );
  if (!isThere) await install(place);
  const file = join(place, packagePath, "out", "node", "entry.js");
  return { node: process.execPath, entry: file, flags: lifetime, machine: {} };
}

/** Install scripts are skipped: they compile native parts, which VS Code does without but for a line in its log. */
async function install(place: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const older = await readdir(cache);
  // npm refuses to install into a symlinked directory.
  const unfinished = await mkdtemp(join(await realpath(cache), "unfinished-"));
  await npmInstall(unfinished, [`code-server@${version}`, "--prefix", unfinished]);
  const vscode = join(unfinished, packagePath, "lib", "vscode");
  await Promise.all([vscode, join(vscode, "extensions")].map((path) => npmInstall(path, ["--omit=dev"])));
  await rename(unfinished, place).catch(() => rm(unfinished, { recursive: true }));
  for (const left of older) await rm(join(cache, left), { recursive: true, force: true });
}

/** Not `npm ci`: the lockfiles in the package lack one entry. */
async function npmInstall(directory: string, words: readonly string[]): Promise<void> {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` };
  await promisify(execFile)("npm", ["install", ...words, ...flags], { cwd: directory, env });
}
