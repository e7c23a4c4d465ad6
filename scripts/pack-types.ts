/**
 * Prepares the published types: compiles the client's separately, adds hover texts, and drops files that no entry
 * reaches.
 */

import { execFile } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..");
const entries = ["index.d.ts", "client.d.ts", "testing.d.ts"];
const api = join("remote", "api.d.ts");

/** `types` is the build's output folder, laid out like the sources. */
export async function packTypes(types: string): Promise<void> {
  await emitClient(types);
  const sources = join(types, "src");
  await writeFile(join(sources, api), documented(await readFile(join(sources, api), "utf8")));
  const reached = new Set<string>();
  for (const entry of entries) await reach(join(sources, entry), reached);
  await removeOthers(types, reached);
}

/**
 * Compiled together with the library, the client's declarations would refer to shared types through `src/index.ts`; a
 * browser client would then need the types of the whole library, and of Node.
 */
async function emitClient(types: string): Promise<void> {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const settings = ["-p", join(root, "tsconfig.client.json"), "--outDir", types];
  await promisify(execFile)(process.execPath, [compiler, ...settings]);
}

/**
 * The client's methods derive from the route table, so each route's description becomes the hover text of its method.
 */
function documented(declarations: string): string {
  const route =
    /^(?<indent> +)(?=readonly \w+: \{\s+readonly method: "(?<method>\w+)";\s+readonly path: "(?<path>[^"]+)";\s+readonly needs: "\w+";\s+readonly says: "(?<says>[^"]+)";)/gmu;
  return declarations.replaceAll(route, "$<indent>/** $<says> (`$<method> $<path>`) */\n$<indent>");
}

async function reach(file: string, reached: Set<string>): Promise<void> {
  if (reached.has(file)) return;
  reached.add(file);
  const text = await readFile(file, "utf8");
  for (const [, path = ""] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/gu))
    await reach(join(dirname(file), `${path}.d.ts`), reached);
}

async function removeOthers(types: string, reached: ReadonlySet<string>): Promise<void> {
  const all = await readdir(types, { recursive: true, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files) if (!reached.has(file)) await rm(file);
}
