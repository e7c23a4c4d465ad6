import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withoutPictures } from "./readme.ts";

const folder = join(import.meta.dirname, "..");

test("the README has its pictures, and the packaged one neither them nor any other relative link", async () => {
  const source = await readFile(join(folder, "README.md"), "utf8");
  const pictures = [...source.matchAll(/!\[[^\]]+\]\(([^)]+)\)/gu)].map(([, path]) => path ?? "");
  expect(pictures.length).toBeGreaterThan(2);
  for (const path of pictures) await access(join(folder, path));
  const packaged = withoutPictures(source);
  expect(packaged).not.toMatch(/\]\((?!https:|#)/u);
  expect(packaged).toContain("## Begin\n");
});
