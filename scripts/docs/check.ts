/** Runs all checks on the documents of one tree. */

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Problem } from "../architecture/problem.ts";
import { buildFirst, compileBlocks, runBlocks, runPrograms } from "./check-blocks.ts";
import { checkDecisions, checkLinks, checkNames, checkPaths, checkScripts } from "./check-prose.ts";
import { type Markdown, readMarkdown } from "./markdown.ts";
import { checkRequirements } from "./requirement-links.ts";

export async function checkDocuments(root: string): Promise<{ problems: Problem[]; files: number }> {
  const files = await readDocuments(root);
  const manifest: { scripts?: Record<string, string> } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  const unbuilt = await buildFirst(root, files);
  const problems = await Promise.all([
    checkLinks(root, files),
    checkPaths(root, files),
    checkNames(root, files),
    unbuilt.length > 0 ? unbuilt : runBlocks(root, files),
    unbuilt.length > 0 ? [] : runPrograms(root, files),
    compileBlocks(root, files),
  ]);
  const unknown = checkScripts(Object.keys(manifest.scripts ?? {}), files);
  const ofPages = [...checkDecisions(files), ...checkRequirements(files)];
  return { problems: [...problems.flat(), ...unknown, ...ofPages], files: files.length };
}

/** Reads the Markdown files at the root and everything in `docs` and `examples`. */
async function readDocuments(root: string): Promise<Markdown[]> {
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
