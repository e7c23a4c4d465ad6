/** Builds the gateway's page into `<dist>/page`: files with a content hash in their names, and a table of them. */

import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const source = join(import.meta.dirname, "..", "src", "page");
const oneDay = 24 * 60 * 60 * 1000;

/**
 * `path` is the URL path, `file` is relative to the page's folder, `type` is the content type, `encoded` names the
 * compressed files.
 */
export type PageAsset = { path: string; file: string; type: string; encoded?: Record<string, string> };

type Built = { file: string; content: string | Uint8Array };

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

export async function buildPage(dist: string, { isQuiet = false } = {}): Promise<void> {
  const files = await bundle();
  const page = join(dist, "page");
  const table = files.map((built) => ({ built, compressed: compressedOf(built) }));
  // The table is written last, so that every file it names exists.
  const all = table.flatMap(({ built, compressed }) => [built, ...compressed]);
  for (const { file, content } of all) await put(join(page, file), content);
  const assets = table.map(({ built, compressed }) => assetOf(built, compressed));
  await put(join(page, "assets.json"), `${JSON.stringify(assets, undefined, 2)}\n`);
  await removeOld(page, new Set(all.map(({ file }) => file)));
  if (!isQuiet) process.stdout.write(`${files.map(sizeLine).join("\n")}\n`);
}

async function bundle(): Promise<Built[]> {
  const { build } = await import("vite");
  const results = await build({
    configFile: false,
    root: source,
    base: "/",
    logLevel: "warn",
    // Also when tests build it: a development build differs, and contains our paths.
    mode: "production",
    define: { "process.env.NODE_ENV": '"production"' },
    oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
    build: {
      write: false,
      target: "es2023",
      // The content security policy forbids inline content.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      reportCompressedSize: false,
      // On a busy machine the bundler would warn about its own slow steps.
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  });
  return [results]
    .flat()
    .flatMap((result) => ("output" in result ? result.output : []))
    .map((part) => ({ file: part.fileName, content: part.type === "chunk" ? part.code : part.source }))
    .toSorted((a, b) => a.file.localeCompare(b.file));
}

type Compressed = Built & { coding: string };

/** Brotli's last two levels would save 7 % more and double the time of a build. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
/** Bytes; smaller ones fit a packet anyway. */
const worthCompressing = 1_024;

function compressedOf({ file, content }: Built): Compressed[] {
  const bytes = Buffer.from(content);
  if (bytes.length < worthCompressing) return [];
  return [
    { coding: "br", file: `${file}.br`, content: brotliCompressSync(bytes, brotli) },
    { coding: "gzip", file: `${file}.gz`, content: gzipSync(bytes, { level: 9 }) },
  ];
}

function assetOf({ file }: Built, compressed: readonly Compressed[]): PageAsset {
  const type = types[file.slice(file.lastIndexOf(".") + 1)];
  if (type === undefined) throw new Error(`Nobody has said what the content type of ${file} is.`);
  const encoded = Object.fromEntries(compressed.map((one) => [one.coding, one.file]));
  const path = file === "index.html" ? "/" : `/${file}`;
  return { path, file, type, ...(compressed.length === 0 ? {} : { encoded }) };
}

/** Renames into place, so that a gateway starting meanwhile finds either the old or the new file, complete. */
async function put(path: string, content: string | Uint8Array): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, content);
  await rename(unfinished, path);
}

/** Keeps old files for a day: an open page of an earlier build may still load its parts. */
async function removeOld(page: string, current: ReadonlySet<string>): Promise<void> {
  const names = (await readdir(join(page, "assets")).catch(() => [])).map((name) => `assets/${name}`);
  for (const name of names.filter((name) => !current.has(name))) {
    const { mtimeMs } = await stat(join(page, name));
    if (Date.now() - mtimeMs > oneDay) await rm(join(page, name));
  }
}

function sizeLine({ file, content }: Built): string {
  const bytes = Buffer.from(content);
  const kib = (size: number): string => `${(size / 1024).toFixed(1)} KiB`.padStart(11);
  return `page/${file.padEnd(44)}${kib(bytes.length)}${kib(gzipSync(bytes).length)} gzip`;
}
