/** Runs all checks on the documents of one tree, but not the programs in them: see run-blocks.ts. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Problem } from "../architecture/problem.ts";
import { compileBlocks } from "./check-blocks.ts";
import { checkDecisions, checkLinks, checkNames, checkPaths, checkScripts } from "./check-prose.ts";
import { readDocuments } from "./documents.ts";
import { checkRequirements } from "./requirement-links.ts";

export async function checkDocuments(root: string): Promise<{ problems: Problem[]; files: number }> {
  const files = await readDocuments(root);
  const manifest: { scripts?: Record<string, string> } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  const problems = await Promise.all([
    checkLinks(root, files),
    checkPaths(root, files),
    checkNames(root, files),
    compileBlocks(root, files),
  ]);
  const unknown = checkScripts(Object.keys(manifest.scripts ?? {}), files);
  const ofPages = [...checkDecisions(files), ...checkRequirements(files)];
  return { problems: [...problems.flat(), ...unknown, ...ofPages], files: files.length };
}
