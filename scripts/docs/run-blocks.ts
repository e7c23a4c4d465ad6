/** Runs the sh and ts blocks of the documents that are marked `run`. */

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Problem } from "../architecture/problem.ts";
import { blocksOf, type PlacedBlock, readDocuments } from "./documents.ts";
import type { Markdown } from "./markdown.ts";
import { failureOf, lastLineOf } from "./program.ts";

/** Only what hangs is to fail by it, on however busy a machine. */
const longestRun = 600_000;

/** Those of one tree, once its output is built. */
export async function runDocuments(root: string): Promise<Problem[]> {
  const files = await readDocuments(root);
  const unbuilt = await buildFirst(root, files);
  if (unbuilt.length > 0) return unbuilt;
  return (await Promise.all([runBlocks(root, files), runPrograms(root, files)])).flat();
}

/** Builds stale output once; otherwise every block that runs would build it, all at the same time. */
async function buildFirst(root: string, files: readonly Markdown[]): Promise<Problem[]> {
  const [first] = [...blocksOf(files, "sh"), ...blocksOf(files, "ts")].filter(({ marks }) =>
    marks.includes("run"),
  );
  const command = join(root, "bin", "toolwright");
  if (!first || !existsSync(command)) return [];
  const failure = await failureOf(command, ["--version"], { cwd: root, timeout: longestRun });
  if (failure === undefined) return [];
  return [{ path: first.path, line: first.line, words: `nothing can be run: ${lastLineOf(failure)}` }];
}

/** Runs each marked block separately, like a new user: an empty directory, an empty home, no keys. */
async function runBlocks(root: string, files: readonly Markdown[]): Promise<Problem[]> {
  const marked = blocksOf(files, "sh").filter(({ marks }) => marks.includes("run"));
  const compiled = await mkdtemp(join(tmpdir(), "toolwright-docs-"));
  const problems = await inTurns(marked, (block) => runBlock(root, block, compiled));
  await rm(compiled, { recursive: true });
  return problems.flat();
}

/** Limits concurrency: each block starts several programs and has a timeout. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

const atOnce = 2 * availableParallelism();

/** `compiled` holds V8's code of the built command: without it each of a block's starts would compile everything anew. */
async function runBlock(
  root: string,
  { path, line, text }: PlacedBlock,
  compiled: string,
): Promise<Problem[]> {
  if (/\bnpm (ci|install)\b/u.test(text))
    return [
      {
        path,
        line,
        words: "a block that installs cannot be marked to run: the check would wait for it each time",
      },
    ];
  const home = await mkdtemp(join(tmpdir(), "toolwright-docs-"));
  const workspace = join(home, "workspace");
  await mkdir(workspace);
  const state = join(home, ".local", "state", "toolwright");
  await mkdir(state, { recursive: true });
  await symlink(compiled, join(state, "compiled"));
  const env = {
    PATH: [join(root, "bin"), join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter),
    HOME: home,
    TERM: "dumb",
  };
  const failure = await failureOf("sh", ["-eu", "-c", text], { cwd: workspace, env, timeout: longestRun });
  await rm(home, { recursive: true });
  return failure === undefined ? [] : [{ path, line, words: `the block fails: ${lastLineOf(failure)}` }];
}

/** Runs each marked program separately, with the built package and `zod` installed beside it. */
async function runPrograms(root: string, files: readonly Markdown[]): Promise<Problem[]> {
  const marked = blocksOf(files, "ts").filter(({ marks }) => marks.includes("run"));
  if (marked.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), "toolwright-docs-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules", "toolwright"));
  await symlink(join(root, "node_modules", "zod"), join(folder, "node_modules", "zod"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder };
  const problems = await inTurns(marked, async ({ path, line, text }, index): Promise<Problem[]> => {
    const program = join(folder, `${index}.ts`);
    await writeFile(program, text);
    const failure = await failureOf(process.execPath, [program], { cwd: folder, env, timeout: longestRun });
    if (failure === undefined) return [];
    const why = failure.split("\n").find((said) => /^\w*Error\b/u.test(said)) ?? lastLineOf(failure);
    return [{ path, line, words: `the program fails: ${why}` }];
  });
  await rm(folder, { recursive: true });
  return problems.flat();
}
