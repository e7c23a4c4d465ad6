/** The documents of one tree, and their blocks of code. */

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Block, type Markdown, readMarkdown } from "./markdown.ts";

export type PlacedBlock = Block & { path: string };

/** Reads the Markdown files at the root and everything in `docs` and `examples`. */
export async function readDocuments(root: string): Promise<Markdown[]> {
  const folders = await Promise.all([readdir(root), below(root, "docs"), below(root, "examples")]);
  const paths = folders.flat().filter((path) => path.endsWith(".md"));
  return Promise.all(
    paths.toSorted().map(async (path) => readMarkdown(path, await readFile(join(root, path), "utf8"))),
  );
}

async function below(root: string, folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder), { recursive: true }).catch(() => []);
  return names.map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}

export const blocksOf = (files: readonly Markdown[], language: string): PlacedBlock[] =>
  files.flatMap(({ path, blocks }) =>
    blocks.filter((block) => block.language === language).map((block) => ({ ...block, path })),
  );
