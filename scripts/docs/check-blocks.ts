/** Compiles the ```ts blocks of the documents. */

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Problem } from "../architecture/problem.ts";
import { blocksOf, type PlacedBlock } from "./documents.ts";
import type { Markdown } from "./markdown.ts";
import { failureOf } from "./program.ts";

/**
 * Compiles all blocks at once with the project's settings. `toolwright` is the built package's declarations, as for its
 * users: `src` would be checked with them, as `npm run lint` does; it stands in where nothing is built.
 */
export async function compileBlocks(root: string, files: readonly Markdown[]): Promise<Problem[]> {
  const blocks = blocksOf(files, "ts");
  if (blocks.length === 0) return [];
  const cache = join(root, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "docs-"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(compilerSettings(root, blocks.length)));
  await Promise.all(blocks.map(({ text }, index) => writeFile(join(folder, `${index}.ts`), text)));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const output = (await failureOf(process.execPath, [compiler, "-p", folder], { cwd: folder })) ?? "";
  await rm(folder, { recursive: true });
  return output.split("\n").flatMap((message) => locate(message, blocks));
}

function compilerSettings(root: string, blocks: number): unknown {
  const built = join(root, "dist", "types", "src");
  const entry = (name: string): string[] => [
    existsSync(built) ? join(built, `${name}.d.ts`) : join(root, "src", `${name}.ts`),
  ];
  return {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      moduleDetection: "force",
      noUnusedLocals: false,
      typeRoots: [join(root, "node_modules", "@types")],
      paths: {
        toolwright: entry("index"),
        "toolwright/client": entry("client"),
        "toolwright/testing": entry("testing"),
      },
    },
    include: [],
    files: Array.from({ length: blocks }, (_, index) => `${index}.ts`),
  };
}

/** Maps "0.ts(3,5): error TS1: words" to its place in the document. Errors in `src` are left to `npm run lint`. */
function locate(message: string, blocks: readonly PlacedBlock[]): Problem[] {
  const [, file, row, words] = /^(\d+)\.ts\((\d+),\d+\): (.*)$/u.exec(message) ?? [];
  const block = blocks[Number(file)];
  return block && words !== undefined
    ? [{ path: block.path, line: block.line + Number(row) - 1, words }]
    : [];
}
