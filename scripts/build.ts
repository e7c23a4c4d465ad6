/**
 * Builds `dist/` (or the given folder): the command as CommonJS chunks, which start fastest, the library as ESM, and
 * its types.
 */

import { execFile } from "node:child_process";
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { BuildOptions, OutputAsset, OutputChunk } from "rolldown";
import { inAscii } from "./ascii-code.ts";
import { buildPage } from "./build-page.ts";
import { withLatePatterns } from "./late-patterns.ts";

const root = join(import.meta.dirname, "..");
const dist = resolve(process.argv[2] ?? join(root, "dist"));
const oneDay = 24 * 60 * 60 * 1000;

/**
 * Modules that are always loaded together, with all their imports. By default the bundler creates a chunk for every
 * module shared by two others: a one-shot loaded 16 of them instead of 4, which took 4 ms longer.
 */
const together = [
  { name: "main", from: [/cli[\\/]main\.ts$/] },
  { name: "work", from: [/headless[\\/]headless\.ts$/, /runtime[\\/]runtime\.ts$/] },
  { name: "prompt", from: [/conversation[\\/]conversation\.ts$/] },
  { name: "wire", from: [/wires[\\/](?!index\.ts)[^\\/]+\.ts$/] }, // code shared by the wires; each wire is its own chunk
];

await build();

async function build(): Promise<void> {
  const rolldown = await import("rolldown").catch(() => undefined);
  if (!rolldown) return stop("The bundler is not installed: run `npm ci` first.");

  const version = await readVersion();
  const [command, packaged, client] = await Promise.all([
    rolldown.build(commandOptions(version, await toolSchemas())),
    rolldown.build(libraryOptions(version)),
    rolldown.build(clientOptions(version)),
    emitTypes(),
    buildPage(dist, { isQuiet: !process.stdout.isTTY }),
  ]);
  const moved = pathsGone(command.output);
  if (moved.length > 0) return stop(`Nothing is loaded together by ${moved.join(", ")}: was it moved?`);
  const chunks = [...command.output, ...packaged.output, ...client.output].filter(
    (part) => part.type === "chunk",
  );
  await Promise.all(chunks.map(write));
  await removeOldChunks(new Set(chunks.map((chunk) => chunk.fileName)));
}

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}

/** Patterns of `together` that no module has: then a run would load dozens of small chunks again. */
function pathsGone(output: readonly (OutputChunk | OutputAsset)[]): string[] {
  const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
  const all = together.flatMap(({ from }) => from);
  return all.filter((pattern) => !modules.some((id) => pattern.test(id))).map(({ source }) => source);
}

/** Each dynamic import becomes its own chunk, so that a run loads only what it uses. */
function commandOptions(version: string, schemas: Schemas): BuildOptions {
  return {
    ...sharedOptions({ TOOLWRIGHT_VERSION: version, TOOLWRIGHT_TOOL_SCHEMAS: schemas }),
    input: { bin: "src/cli/bin.ts" },
    checks: { ineffectiveDynamicImport: false },
    output: {
      format: "cjs",
      // Imports of external modules become `require`: code from the compiled-code cache cannot import
      // (src/cli/compiled-code.ts).
      dynamicImportInCjs: false,
      codeSplitting: { groups: together.map(({ name, from }) => ({ name, test: anyOf(from) })) },
      entryFileNames: "[name].cjs",
      chunkFileNames: "chunks/[name]-[hash].cjs",
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      banner: ({ isEntry }) => (isEntry ? "#!/usr/bin/env node" : ""),
    },
  };
}

function libraryOptions(version: string): BuildOptions {
  return {
    ...sharedOptions({ TOOLWRIGHT_VERSION: version }),
    input: { index: "src/index.ts", testing: "src/testing.ts" },
    checks: { ineffectiveDynamicImport: false }, // modules that the command loads lazily are part of the public entry
    output: { format: "esm", entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
  };
}

/** Built separately, so that it shares no chunk with Node-only code. */
function clientOptions(version: string): BuildOptions {
  return {
    ...sharedOptions({ TOOLWRIGHT_VERSION: version }),
    platform: "browser",
    input: { client: "src/client.ts" },
    output: { format: "esm", entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
  };
}

/** `constants` are inlined as JSON. */
function sharedOptions(constants: Readonly<Record<string, unknown>>): BuildOptions {
  const define = Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)]);
  return {
    cwd: root,
    platform: "node",
    write: false,
    tsconfig: false, // its paths name declarations
    external: ["@vscode/ripgrep", "@lydell/node-pty", "@opentelemetry/api", "pg", "@dbos-inc/dbos-sdk"],
    // jsonc-parser's UMD `main` cannot be bundled; its ESM build can.
    resolve: { mainFields: ["module", "main"] },
    transform: { target: "node24", define: Object.fromEntries(define) },
  };
}

type Schemas = Record<string, unknown>;

/** Computes the JSON Schemas of our own tools at build time, to save that work at every start. */
async function toolSchemas(): Promise<Schemas> {
  const { everyTool } = await import("../src/configuration/addon-tools.ts");
  return Object.fromEntries(everyTool.map(({ name, schema }) => [name, schema]));
}

/** A type error does not fail the build: `npm run lint` reports those. */
async function emitTypes(): Promise<void> {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const settings = ["--noCheck", "-p", join(root, "tsconfig.build.json"), "--outDir", join(dist, "types")];
  const run = promisify(execFile)(process.execPath, [compiler, ...settings]);
  await run.catch(() => process.stderr.write("The types were built with errors: see `npm run lint`.\n"));
}

/** Renames into place, so that a process starting meanwhile finds either the old or the new file, complete. */
async function write(chunk: OutputChunk): Promise<void> {
  const path = join(dist, chunk.fileName);
  const unfinished = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  const code = inAscii(chunk.code);
  await writeFile(unfinished, chunk.fileName.endsWith(".cjs") ? withLatePatterns(code) : code);
  await rename(unfinished, path);
}

/**
 * Keeps old chunks for a day, because a process of an earlier build may still load them. Another build may run at the
 * same time: what it has just renamed or removed is no longer there.
 */
async function removeOldChunks(current: ReadonlySet<string>): Promise<void> {
  const names = (await readdir(join(dist, "chunks")).catch(() => [])).map((name) => `chunks/${name}`);
  for (const name of names.filter((name) => !current.has(name))) {
    const found = await stat(join(dist, name)).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > oneDay) await rm(join(dist, name), { force: true });
  }
}

async function readVersion(): Promise<string> {
  const manifest: { version: string } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return manifest.version;
}

function stop(problem: string): void {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
