/**
 * The types as they are published: the client's by themselves, words to hover over, and no file that no entry reaches.
 */

import { execFile } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..");
const entries = ["index.d.ts", "client.d.ts", "testing.d.ts"];
const api = join("surfaces", "remote", "api.d.ts");

/** `types` is where the build has put them, by the folders of the sources. */
export async function packTypes(types: string): Promise<void> {
  await emitClient(types);
  const sources = join(types, "src");
  await writeFile(join(sources, api), documented(await readFile(join(sources, api), "utf8")));
  const reached = new Set<string>();
  for (const entry of entries) await reach(join(sources, entry), reached);
  await removeOthers(types, reached);
}

/**
 * Seen together with the library, the client's declarations name what the two share by way of `src/index.ts`: whoever
 * imports the client in a browser would need the types of all of it, and of Node.
 */
async function emitClient(types: string): Promise<void> {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const settings = ["-p", join(root, "tsconfig.client.json"), "--outDir", types];
  await promisify(execFile)(process.execPath, [compiler, ...settings]);
}

/**
 * The client's methods are made of the table of routes: what a route says of itself is what an editor shows of them.
 */
function documented(declarations: string): string {
  const route =
    /^(?<indent> +)(?=readonly \w+: \{\s+readonly method: "(?<method>\w+)";\s+readonly path: "(?<path>[^"]+)";\s+readonly says: "(?<says>[^"]+)";)/gmu;
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
