import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withPictures } from "./readme.ts";

const folder = join(import.meta.dirname, "..");

test("every picture of the README is in the packaged one, and no relative link is left", async () => {
  const source = await readFile(join(folder, "README.md"), "utf8");
  const packaged = await withPictures(source, folder);
  const pictures = [...source.matchAll(/!\[[^\]]+\]\(([^)]+)\)/gu)].map(([, path]) => path ?? "");
  expect(pictures.length).toBeGreaterThan(2);
  for (const path of pictures)
    expect(packaged).toContain(`(data:image/png;base64,${await readFile(join(folder, path), "base64")})`);
  expect(packaged.replaceAll(/\(data:[^)]*\)/gu, "")).not.toMatch(/\]\((?!https:|#)/u);
});

test("a picture that is not there keeps the README from being packaged", async () => {
  await expect(withPictures("![None](no-such.png)", folder)).rejects.toThrow("no-such.png");
});
