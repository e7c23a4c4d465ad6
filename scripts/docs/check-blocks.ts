/** The code in the documents must work: ```ts blocks compile, ```sh blocks marked `run` run. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Problem } from "../architecture/problem.ts";
import type { Block, Markdown } from "./markdown.ts";

type Placed = Block & { path: string };

const longestRun = 60_000;
const blocksOf = (files: readonly Markdown[], language: string): Placed[] =>
  files.flatMap(({ path, blocks }) =>
    blocks.filter((block) => block.language === language).map((block) => ({ ...block, path })),
  );

/** Runs each marked block by itself, as a new user would: an empty directory, an empty home, no keys. */
export async function runBlocks(root: string, files: readonly Markdown[]): Promise<Problem[]> {
  const marked = blocksOf(files, "sh").filter(({ marks }) => marks.includes("run"));
  return (await Promise.all(marked.map((block) => runBlock(root, block)))).flat();
}

async function runBlock(root: string, { path, line, text }: Placed): Promise<Problem[]> {
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
  const env = {
    PATH: [join(root, "bin"), join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter),
    HOME: home,
    TERM: "dumb",
  };
  const failure = await run("sh", ["-eu", "-c", text], { cwd: workspace, env, timeout: longestRun });
  await rm(home, { recursive: true });
  return failure === undefined ? [] : [{ path, line, words: `the block fails: ${lastLine(failure)}` }];
}

/** Compiles all blocks at once, with the project's own settings; `toolwright` is what is in `src`. */
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
  return {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      moduleDetection: "force",
      noUnusedLocals: false,
      typeRoots: [join(root, "node_modules", "@types")],
      paths: {
        toolwright: [join(root, "src/index.ts")],
        "toolwright/client": [join(root, "src/client.ts")],
        "toolwright/testing": [join(root, "src/testing.ts")],
      },
    },
    include: [],
    files: Array.from({ length: blocks }, (_, index) => `${index}.ts`),
  };
}

/** "0.ts(3,5): error TS1: words" at its place in the document. What is wrong in `src` is for `npm run types`. */
function locate(message: string, blocks: readonly Placed[]): Problem[] {
  const [, file, row, words] = /^(\d+)\.ts\((\d+),\d+\): (.*)$/u.exec(message) ?? [];
  const block = blocks[Number(file)];
  return block && words !== undefined
    ? [{ path: block.path, line: block.line + Number(row) - 1, words }]
    : [];
}

type RunOptions = { cwd: string; env?: Record<string, string>; timeout?: number };

/** What a failed program said; `undefined` when it did not fail. */
function run(file: string, args: string[], options: RunOptions): Promise<string | undefined> {
  return new Promise((done) => {
    const child = execFile(file, args, options, (error, stdout, stderr) =>
      done(error ? `${stdout}\n${stderr}\n${error.killed ? "it took too long" : ""}` : undefined),
    );
    child.stdin?.end();
  });
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";
