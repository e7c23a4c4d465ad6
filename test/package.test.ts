import { execFile } from "node:child_process";
import {
  access,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "../src/remote/api.ts";

const project = join(import.meta.dirname, "..");
let root: string;
let installed: string;

/** As a user would: the tarball in an empty directory, with dependencies from the registry or npm's cache. */
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-package-")));
  const packed = await run(process.execPath, [join(project, "scripts", "pack.ts"), join(root, "package")]);
  const directory = join(root, "somewhere");
  await mkdir(directory);
  await writeFile(join(directory, "package.json"), '{ "type": "module" }');
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", packed.stdout.trim()], {
    cwd: directory,
  });
  installed = join(directory, "node_modules", "toolwright");
});
afterAll(() => rm(root, { recursive: true }));

/** Rejects when the program fails. The Node that runs the tests comes first in PATH. */
function run(
  file: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<{ stdout: string; stderr: string }> {
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  return promisify(execFile)(file, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env, PATH: path },
  });
}

const somewhere = (): string => join(root, "somewhere");

test("the package contains the bundle, types and documents, and nothing else of the checkout", async () => {
  const names = (await readdir(installed)).toSorted();
  expect(names).toEqual(
    ["CHANGELOG.md", "LICENSE", "README.md", "bin.cjs", "chunks", "client.js", "deploy", "docs", "examples", "index.js", "package.json", "page", "testing.js", "types"], // prettier-ignore
  );
  const files = await readdir(installed, { recursive: true });
  const ours = files.filter((name) => !name.startsWith("examples/"));
  expect(ours.filter((name) => /\.test\.|(?<!\.d)\.ts$/u.test(name))).toEqual([]);
  const own: Record<string, unknown> &
    Record<"dependencies" | "devDependencies" | "optionalDependencies", Record<string, string>> = JSON.parse(
    await readFile(join(project, "package.json"), "utf8"),
  );
  expect(JSON.parse(await readFile(join(installed, "package.json"), "utf8"))).toEqual({
    name: own["name"],
    version: own["version"],
    description: own["description"],
    license: own["license"],
    type: "module",
    bin: { toolwright: "bin.cjs", tw: "bin.cjs" },
    man: ["./docs/toolwright.1"],
    exports: expect.any(Object),
    engines: own["engines"],
    dependencies: { ...own.dependencies, zod: `^${own.devDependencies["zod"]}` },
    optionalDependencies: {
      "@lydell/node-pty": own.optionalDependencies["@lydell/node-pty"],
      pg: own.optionalDependencies["pg"],
      "@dbos-inc/dbos-sdk": own.optionalDependencies["@dbos-inc/dbos-sdk"],
    },
    peerDependencies: { "@opentelemetry/api": "^1.9.0", "@types/node": ">=24" },
    peerDependenciesMeta: { "@opentelemetry/api": { optional: true }, "@types/node": { optional: true } },
  });
});

test("every relative link in the packaged documents leads to a packaged file", async () => {
  const pages = (await readdir(installed, { recursive: true })).filter((name) => name.endsWith(".md"));
  const links = await Promise.all(
    pages.map(async (page) => {
      const text = await readFile(join(installed, page), "utf8");
      return [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/gu)].map(([, link = ""]) =>
        join(dirname(page), link),
      );
    }),
  );
  expect(links.flat().length).toBeGreaterThan(10);
  for (const link of new Set(links.flat()))
    await expect(access(join(installed, link))).resolves.toBeUndefined();
});

test("npx runs the installed command, under both of its names", async () => {
  const { version }: { version: string } = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  for (const name of ["toolwright", "tw"]) {
    const ran = await run("npx", ["--no-install", name, "--version"], { cwd: somewhere() });
    expect(ran.stdout).toBe(`toolwright ${version}\n`);
  }
});

test("the installed command completes the demo, and finds ripgrep", async () => {
  const home = join(root, "home");
  await mkdir(home);
  const env = { HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home };
  const command = join(somewhere(), "node_modules", ".bin", "toolwright");
  const demo = await run(command, ["demo"], { cwd: somewhere(), env });
  expect(demo.stdout).toContain("both tests pass now");
  const doctor = await run(command, ["doctor", "--verbose"], { cwd: somewhere(), env });
  expect(doctor.stdout).toMatch(/^ok +ripgrep +ripgrep \d/mu);
});

test("client.js is a single file without imports, so that a browser can load it as it is", async () => {
  const text = await readFile(join(installed, "client.js"), "utf8");
  expect(text).not.toMatch(/^import |\bfrom ?"|\bimport\(|\brequire\(|node:/mu);
});

test("the library can be imported by its name", async () => {
  await copyFile(join(project, "examples", "01-hello.ts"), join(somewhere(), "hello.ts"));
  const ran = await run(process.execPath, ["hello.ts"], { cwd: somewhere() });
  expect(ran.stdout).toContain("Written.");
});

test("all types resolve in a strict compile, given Node's types", async () => {
  const uses = [
    'import * as z from "zod/mini";',
    'import { defineTool, ok, tools, version, type Tool } from "toolwright";',
    'import { scriptedModel, type SessionUnderTest } from "toolwright/testing";',
    'import type { Client } from "toolwright/client";',
    "export const names: string[] = tools.map((tool: Tool) => tool.name).concat(version);",
    "export const session: SessionUnderTest | undefined = undefined;",
    "export const client: Client | undefined = undefined;",
    'export const own: Tool = defineTool({ name: "own", does: "read", summary: "Own.", input: { n: z.number() },',
    "  title: ({ n }) => n.toFixed(), run: async ({ n }) => ok(n.toFixed()) });",
    "// @ts-expect-error a scripted model has answers",
    "scriptedModel(3);",
  ];
  const typeRoots = [join(project, "node_modules", "@types")];
  expect(await compiled("library", uses, { lib: ["es2024"], types: ["node"], typeRoots })).toBe("");
});

test("the client's types need only the browser's library", async () => {
  const uses = [
    'import { connect, type Client, type Entry, type FactOf } from "toolwright/client";',
    'export const client: Client = connect({ url: "http://127.0.0.1:1", token: "t" });',
    "export async function titles(): Promise<string[]> {",
    "  const { sessions } = await client.sessions({ limit: 20 });",
    "  return sessions.map(({ title }) => title);",
    "}",
    "export async function* facts(id: string): AsyncGenerator<Entry> {",
    '  for await (const event of client.live().follow(id)) if ("seq" in event) yield event;',
    "}",
    'export const isDone = ({ stopped }: FactOf<"turn-end">): boolean => stopped === "done";',
    "// @ts-expect-error a result is asked for by session and call",
    'client.result("session");',
    "// @ts-expect-error a title is a text",
    "client.create({ title: 3 });",
  ];
  expect(await compiled("browser", uses, { lib: ["es2024", "dom"], types: [] })).toBe("");
});

test("the client's type declarations document every method", async () => {
  const text = await readFile(join(installed, "types", "src", "remote", "api.d.ts"), "utf8");
  const told = [...text.matchAll(/^ {4}\/\*\* .+ \(`.+`\) \*\/\n {4}readonly (\w+): \{$/gmu)];
  expect(told.map(([, name]) => name)).toEqual(Object.keys(routes));
});

/** The compiler's output for a program in the directory where the package is installed. */
async function compiled(
  name: string,
  lines: readonly string[],
  settings: Record<string, unknown>,
): Promise<string> {
  await writeFile(join(somewhere(), `${name}.ts`), lines.join("\n"));
  const strict = { strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, noEmit: true };
  const compilerOptions = { target: "es2024", module: "nodenext", ...strict, ...settings };
  const file = join(somewhere(), `${name}.json`);
  await writeFile(file, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const compiler = join(project, "node_modules", "typescript", "bin", "tsc");
  const ran = await run(process.execPath, [compiler, "-p", file]).catch((error: { stdout: string }) => error);
  return ran.stdout;
}
