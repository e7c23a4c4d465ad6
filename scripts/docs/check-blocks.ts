/** Checks the code in the documents: ```ts blocks compile, and ts and sh blocks marked `run` succeed. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Problem } from "../architecture/problem.ts";
import type { Block, Markdown } from "./markdown.ts";

type Placed = Block & { path: string };

/** Only what hangs is to fail by it, on however busy a machine. */
const longestRun = 600_000;
const blocksOf = (files: readonly Markdown[], language: string): Placed[] =>
  files.flatMap(({ path, blocks }) =>
    blocks.filter((block) => block.language === language).map((block) => ({ ...block, path })),
  );

/** Builds stale output once; otherwise every block that runs would build it, all at the same time. */
export async function buildFirst(root: string, files: readonly Markdown[]): Promise<Problem[]> {
  const [first] = [...blocksOf(files, "sh"), ...blocksOf(files, "ts")].filter(({ marks }) =>
    marks.includes("run"),
  );
  const command = join(root, "bin", "toolwright");
  if (!first || !existsSync(command)) return [];
  const failure = await run(command, ["--version"], { cwd: root, timeout: longestRun });
  if (failure === undefined) return [];
  return [{ path: first.path, line: first.line, words: `nothing can be run: ${lastLine(failure)}` }];
}

/** Runs each marked block separately, like a new user: an empty directory, an empty home, no keys. */
export async function runBlocks(root: string, files: readonly Markdown[]): Promise<Problem[]> {
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
async function runBlock(root: string, { path, line, text }: Placed, compiled: string): Promise<Problem[]> {
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
  const failure = await run("sh", ["-eu", "-c", text], { cwd: workspace, env, timeout: longestRun });
  await rm(home, { recursive: true });
  return failure === undefined ? [] : [{ path, line, words: `the block fails: ${lastLine(failure)}` }];
}

/** Runs each marked program separately, with the built package and `zod` installed beside it. */
export async function runPrograms(root: string, files: readonly Markdown[]): Promise<Problem[]> {
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
    const failure = await run(process.execPath, [program], { cwd: folder, env, timeout: longestRun });
    if (failure === undefined) return [];
    const why = failure.split("\n").find((said) => /^\w*Error\b/u.test(said)) ?? lastLine(failure);
    return [{ path, line, words: `the program fails: ${why}` }];
  });
  await rm(folder, { recursive: true });
  return problems.flat();
}

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
  const output = (await run(process.execPath, [compiler, "-p", folder], { cwd: folder })) ?? "";
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
function locate(message: string, blocks: readonly Placed[]): Problem[] {
  const [, file, row, words] = /^(\d+)\.ts\((\d+),\d+\): (.*)$/u.exec(message) ?? [];
  const block = blocks[Number(file)];
  return block && words !== undefined
    ? [{ path: block.path, line: block.line + Number(row) - 1, words }]
    : [];
}

type RunOptions = { cwd: string; env?: Record<string, string>; timeout?: number };

/** The output of a failed program; `undefined` if it succeeded. */
function run(file: string, args: string[], options: RunOptions): Promise<string | undefined> {
  return new Promise((done) => {
    const child = execFile(file, args, options, (error, stdout, stderr) =>
      done(error ? `${stdout}\n${stderr}\n${error.killed ? "it took too long" : ""}` : undefined),
    );
    child.stdin?.end();
  });
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";
