import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inWords } from "../architecture/problem.ts";
import { runDocuments } from "./run-blocks.ts";

const project = join(import.meta.dirname, "../..");
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "toolwright-documents-"));
});
afterEach(() => rm(root, { recursive: true }));

async function problemsIn(files: Record<string, string>): Promise<string[]> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return (await runDocuments(root)).map(inWords);
}

test("every block of the documents that is marked run succeeds", async () => {
  expect((await runDocuments(project)).map(inWords)).toEqual([]);
});

test("a sh block marked run is run in an empty directory and home; unmarked blocks are not run", async () => {
  const truth =
    '```sh run\ntest -z "$(ls -A)"\ntest "$HOME" = "$(dirname "$PWD")"\n```\n```sh\nexit 1\n```\n';
  expect(await problemsIn({ "README.md": truth })).toEqual([]);
});

test("a sh block that fails at any line is reported with its last output", async () => {
  expect(await problemsIn({ "README.md": "\n```sh run\necho almost >&2\nfalse\ntrue\n```\n" })).toEqual([
    "README.md:3: the block fails: almost",
  ]);
});

test("a block that installs cannot be marked to run", async () => {
  expect(await problemsIn({ "README.md": "```sh run\nnpm ci\n```\n" })).toEqual([
    "README.md:2: a block that installs cannot be marked to run: the check would wait for it each time",
  ]);
});

test("a ts block marked run executes against the built package, and its failure is reported", async () => {
  const package_ = { name: "toolwright", type: "module", exports: "./dist/index.js" };
  const files = {
    "package.json": JSON.stringify(package_),
    "dist/index.js": "export const one = 1;\n",
    "docs/a.md":
      '```ts run\nimport { one } from "toolwright";\nif (one !== 1) throw new Error("no");\n```\n```ts run\nthrow new Error("not today");\n```\n```ts\nthrow new Error("not run");\n```\n',
  };
  await mkdir(join(root, "node_modules", "zod"), { recursive: true });
  expect(await problemsIn(files)).toEqual(["docs/a.md:6: the program fails: Error: not today"]);
});
