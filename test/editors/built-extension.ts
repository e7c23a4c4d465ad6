/** The extension as it is packaged, built again when a source is newer. */

import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..", "..");
const folder = join(root, "editors", "vscode");

/** The path of the .vsix. */
export async function builtExtension(): Promise<string> {
  const built = await newestIn(join(folder, "dist"), ".vsix");
  const sources = [join(root, "src"), join(folder, "src"), join(folder, "contributes")];
  const newest = await Promise.all(sources.map((source) => newestIn(source)));
  if (built && newest.every((source) => source === undefined || source.at < built.at)) return built.path;
  const { stdout } = await promisify(execFile)("npm", ["run", "--silent", "vscode"], { cwd: root });
  return stdout.trim().split("\n").at(-1) ?? "";
}

type DatedFile = { path: string; at: number };

async function newestIn(directory: string, ending = ""): Promise<DatedFile | undefined> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.flatMap((entry) =>
    entry.isFile() && entry.name.endsWith(ending) ? [join(entry.parentPath, entry.name)] : [],
  );
  const files = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
  return files.toSorted((one, other) => other.at - one.at)[0];
}
