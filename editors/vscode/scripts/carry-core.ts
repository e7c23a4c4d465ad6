/** Puts the built command line, with the packages that it loads, into the extension. */

import { execFile } from "node:child_process";
import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..", "..", "..");
const run = promisify(execFile);

/** Loaded by the command line, not bundled with it: they hold programs for this platform. */
const packages = ["@vscode/ripgrep", "@lydell/node-pty"];

export async function carryCore(target: string): Promise<void> {
  await run(process.execPath, [join(root, "scripts", "build.ts"), target]);
  await dropLibrary(target);
  for (const name of packages) await carryPackage(name, join(target, "node_modules"));
}

/** What only programs import. */
async function dropLibrary(target: string): Promise<void> {
  const chunks = await readdir(join(target, "chunks"));
  const modules = chunks.filter((name) => name.endsWith(".js")).map((name) => join("chunks", name));
  const rest = ["index.js", "client.js", "testing.js", "types"];
  for (const name of [...modules, ...rest]) await rm(join(target, name), { recursive: true, force: true });
}

/** With those of its optional packages that are installed: the ones for this platform. */
async function carryPackage(name: string, target: string): Promise<void> {
  const from = join(root, "node_modules", name);
  const manifest: { optionalDependencies?: Record<string, string> } | undefined = await readFile(
    join(from, "package.json"),
    "utf8",
  ).then(JSON.parse, () => undefined);
  if (!manifest) return;
  await cp(from, join(target, name), { recursive: true });
  for (const part of Object.keys(manifest.optionalDependencies ?? {}))
    await cp(join(root, "node_modules", part), join(target, part), { recursive: true }).catch(
      () => undefined,
    );
}
