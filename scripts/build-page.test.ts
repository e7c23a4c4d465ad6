import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  expect(table.map(({ file }) => file).toSorted()).toEqual(
    files.filter((name) => name !== "assets.json").toSorted(),
  );
  expect(table.find(({ path }) => path === "/")).toEqual({
    path: "/",
    file: "index.html",
    type: "text/html; charset=utf-8",
  });
  for (const { path, file } of table) expect(path).toBe(file === "index.html" ? "/" : `/${file}`);
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
