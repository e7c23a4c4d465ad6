import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPage, type PageAsset } from "./build-page.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "toolwright-built-page-"));
  await buildPage(root, { isQuiet: true });
});
afterAll(() => rm(root, { recursive: true }));

const read = (file: string): Promise<string> => readFile(join(root, "page", file), "utf8");

test("assets.json lists every file of the page with its URL path", async () => {
  const table: PageAsset[] = JSON.parse(await read("assets.json"));
  const files = (await readdir(join(root, "page"), { recursive: true })).filter((name) => name.includes("."));
  expect(table.flatMap(({ file, encoded = {} }) => [file, ...Object.values(encoded)]).toSorted()).toEqual(
    files.filter((name) => name !== "assets.json").toSorted(),
  );
  expect(table.find(({ path }) => path === "/")).toEqual({
    path: "/",
    file: "index.html",
    type: "text/html; charset=utf-8",
  });
  for (const { path, file } of table) expect(path).toBe(file === "index.html" ? "/" : `/${file}`);
});

test("every file worth it is there in brotli and gzip as well, which say the same in a third of the bytes", async () => {
  const table: PageAsset[] = JSON.parse(await read("assets.json"));
  const bytesOf = (file = ""): Promise<Buffer> => readFile(join(root, "page", file));
  for (const { file, encoded } of table) {
    const plain = await bytesOf(file);
    expect(encoded === undefined, file).toBe(plain.length < 1_024);
    if (!encoded) continue;
    const [br, gzip] = [await bytesOf(encoded["br"]), await bytesOf(encoded["gzip"])];
    expect(brotliDecompressSync(br).equals(plain)).toBe(true);
    expect(gunzipSync(gzip).equals(plain)).toBe(true);
    expect(br.length).toBeLessThan(plain.length / 3);
  }
  expect(table.filter(({ encoded }) => encoded).length).toBeGreaterThan(2);
});

test("nothing in the page is inline, comes from elsewhere, or names the build directory", async () => {
  const html = await read("index.html");
  expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=/u);
  const table: PageAsset[] = JSON.parse(await read("assets.json"));
  for (const { file } of table) {
    const text = await read(file);
    expect(text).not.toContain(join(import.meta.dirname, ".."));
    expect(text).not.toMatch(/@import|url\(\s*["']?(?:https?:)?\/\//u);
  }
});

test("rebuilding the same sources gives an identical assets.json", async () => {
  const before = await read("assets.json");
  await buildPage(root, { isQuiet: true });
  expect(await read("assets.json")).toBe(before);
});
