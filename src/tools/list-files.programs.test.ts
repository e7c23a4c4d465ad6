import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import { processorMsUntil } from "../testing/processor-time.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "../testing/workspace.ts";
import { listFiles } from "./list-files.ts";
import { searchWorkspace } from "./search-workspace.ts";
import { runTool, type TestToolContext, testContext, wordsOf } from "./testing/context.ts";

let workspace: TemporaryWorkspace;
afterEach(() => workspace.remove());

async function list(
  files: string[],
  input: JsonObject = {},
  rules: Record<string, string> = {},
): Promise<string[]> {
  workspace = await temporaryWorkspace({ ...Object.fromEntries(files.map((path) => [path, ""])), ...rules });
  return relist(input);
}

async function relist(input: JsonObject): Promise<string[]> {
  return wordsOf(await runTool(listFiles, input, testContext(workspace.root))).words.split("\n");
}

test("directories come first with their content, two levels deep by default", async () => {
  const files = ["b.txt", "a.txt", "src/z.ts", "src/lib/deep/x.ts", "docs/y.md", ".hidden"];
  expect(await list(files)).toEqual([
    "docs/",
    "docs/y.md",
    "src/",
    "src/lib/",
    "src/z.ts",
    ".hidden",
    "a.txt",
    "b.txt",
  ]);
  expect(await relist({ depth: 1 })).toEqual(["docs/", "src/", ".hidden", "a.txt", "b.txt"]);
  expect(await relist({ path: "src", depth: 9 })).toEqual([
    "src/lib/",
    "src/lib/deep/",
    "src/lib/deep/x.ts",
    "src/z.ts",
  ]);
});

test("a pattern with a slash matches paths, one without matches names at any depth", async () => {
  const files = ["a.ts", "b.js", "src/c.ts", "src/lib/d.ts", "src/.e.ts"];
  expect(await list(files, { pattern: "*.ts" })).toEqual(["src/lib/d.ts", "src/.e.ts", "src/c.ts", "a.ts"]);
  expect(await relist({ pattern: "src/*.ts" })).toEqual(["src/.e.ts", "src/c.ts"]);
  expect(await relist({ pattern: "./**/*.{js,ts}", depth: 1 })).toEqual(["a.ts", "b.js"]);
  expect(await relist({ path: "src", pattern: "lib/*" })).toEqual(["src/lib/d.ts"]);
  expect(await relist({ path: "src", pattern: "src/**/d.ts" })).toEqual(["src/lib/d.ts"]);
  expect(await relist({ pattern: "*.py" })).toEqual(["No file in . matches *.py."]);
});

test("ignored files are left out, by nested rules too, and .git and node_modules always", async () => {
  const files = [
    "a.log",
    "keep.log",
    "dist/x",
    "src/a.log",
    "src/gen/x",
    "src/gen2/y",
    ".git/config",
    "node_modules/m/i.js",
    "p/node_modules/q",
  ];
  const rules = { ".gitignore": "*.log\n!keep.log\n/dist/\n", "src/.gitignore": "gen/\n!a.log\n" };
  expect(await list(files, { depth: 5 }, rules)).toEqual([
    "p/",
    "src/",
    "src/gen2/",
    "src/gen2/y",
    "src/.gitignore",
    "src/a.log",
    ".gitignore",
    "keep.log",
  ]);
});

test("an ignored directory can be listed by name", async () => {
  expect(
    await list(["dist/a.js", "dist/b/c.js"], { path: "dist" }, { ".gitignore": "dist\n*.map\n" }),
  ).toEqual(["dist/b/", "dist/b/c.js", "dist/a.js"]);
});

test("ignore rules of parent directories apply in the listed directory", async () => {
  expect(await list(["src/a.log", "src/b.ts"], { path: "src" }, { ".gitignore": "*.log\n" })).toEqual([
    "src/b.ts",
  ]);
});

test("symlinks are shown but not followed, so cycles end", async () => {
  workspace = await temporaryWorkspace({ "d/x": "" });
  await symlink("..", join(workspace.root, "d/up"));
  await symlink("/etc", join(workspace.root, "etc"));
  expect(await relist({ depth: 9 })).toEqual(["d/", "d/up (link)", "d/x", "etc (link)"]);
});

test("a listing is cut after a thousand entries, with a note", async () => {
  workspace = await temporaryWorkspace({});
  await Promise.all(Array.from({ length: 1001 }, (_, i) => writeFile(join(workspace.root, `f${i}`), "")));
  const lines = await relist({});
  expect([lines.length, lines.at(-1)]).toEqual([
    1001,
    "[More than 1000 entries; give a deeper path, a smaller depth or a pattern.]",
  ]);
});

test("empty and missing directories, files and paths outside are distinguished", async () => {
  workspace = await temporaryWorkspace({ file: "" });
  await mkdir(join(workspace.root, "empty"));
  expect(await relist({ path: "empty" })).toEqual(["empty is empty."]);
  expect(await relist({ path: "none" })).toEqual(["There is no directory none."]);
  expect(await relist({ path: "file" })).toEqual(["file is a file, not a directory."]);
  expect((await relist({ path: "/etc" }))[0]).toContain("outside the workspace");
});

test("SAFETY 4, glob: an endlessly deep tree is cut after a hundred levels, with a note", async () => {
  workspace = await temporaryWorkspace({ top: "x" });
  const { root } = workspace;
  execFileSync("perl", ["-e", "chdir shift; for (1 .. 300) { mkdir 'a'; chdir 'a' or die }", root]);
  const context = testContext(root);
  const note = "[Directories more than 100 levels down were left out.]";
  const listed = wordsOf(await runTool(listFiles, { depth: 10_000 }, context)).words.split("\n");
  expect([listed.length, listed.at(-1), listed.at(-2)]).toEqual([102, note, "top"]);
  expect(wordsOf(await runTool(listFiles, { pattern: "b" }, context)).words).toBe(
    `No file in . matches b.\n${note}`,
  );
  expect(wordsOf(await runTool(searchWorkspace, { pattern: "x" }, context)).words).toBe(`top:1: x\n${note}`);
  execFileSync("rm", ["-rf", `${root}/a`]);
});

test("a directory that cannot be listed is reported, never taken for empty", async () => {
  workspace = await temporaryWorkspace({ "d/e/f": "x", "shut/f": "x" });
  const context = testContext(workspace.root);
  const failing = (wanted: string, code: string): TestToolContext => {
    const list: Tree["list"] = (path, options) =>
      path === wanted
        ? Promise.resolve({ ok: false, problem: { code, message: `Cannot read ${path}: ${code}` } })
        : context.files.list(path, options);
    return { ...context, files: { ...context.files, list } };
  };
  for (const [tool, input] of [
    [listFiles, { depth: 9 }],
    [searchWorkspace, { pattern: "x" }],
  ] as const) {
    const told = async (path: string, code: string) =>
      wordsOf(await runTool(tool, input, failing(path, code)));
    for (const [path, code] of [
      [".", "EACCES"],
      [".", "EMFILE"],
      ["d/e", "EMFILE"],
      ["d/e", "EIO"],
    ] as const)
      expect(await told(path, code)).toEqual({ outcome: "failed", words: `Cannot read ${path}: ${code}.` });
    expect(await told("shut", "EACCES")).toMatchObject({
      outcome: "ok",
      words: expect.stringContaining("d/e/f"),
    });
  }
});

test("SAFETY 4, gitignore: catastrophic rules are given up, and ordinary ones with many stars apply", async () => {
  const deep = Array.from({ length: 90 }, () => "a").join("/");
  const hostile = `${"a/**/".repeat(30)}b\n`;
  const cost = await processorMsUntil(async () => {
    const seen = await list([`${deep}/file`, "top"], { pattern: "{file,top}" }, { ".gitignore": hostile });
    expect(seen).toEqual([`${deep}/file`, "top"]);
  });
  expect(cost).toBeLessThan(5000);
  await workspace.remove();
  const rules = { ".gitignore": `a/**/b/**/c/**/d\n${"# words\n".repeat(10_000)}*.log\n` };
  const files = ["a/x/b/c/y/d/gone", "a/b/x/kept", "gone.log", "kept"];
  expect(await list(files, { pattern: "{gone*,kept}" }, rules)).toEqual(["a/b/x/kept", "kept"]);
});
