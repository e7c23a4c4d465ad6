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
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const project = join(import.meta.dirname, "..");
let root: string;
let installed: string;

/** As a user would: the tarball into an empty directory, its one dependency from the registry or npm's cache. */
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
}, 180_000);
afterAll(() => rm(root, { recursive: true }));

/** Rejects when the program fails. The Node that runs the tests is the one that is found. */
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

test("the package holds the bundle, types and documents, and nothing of the checkout", async () => {
  const names = (await readdir(installed)).toSorted();
  expect(names).toEqual(
    ["CHANGELOG.md", "LICENSE", "README.md", "bin.cjs", "chunks", "client.js", "docs", "index.js", "package.json", "page", "testing.js", "types"], // prettier-ignore
  );
  const files = await readdir(installed, { recursive: true });
  expect(files.filter((name) => /\.test\.|(?<!\.d)\.ts$/u.test(name))).toEqual([]);
  const own: Record<string, unknown> & { optionalDependencies: Record<string, string> } = JSON.parse(
    await readFile(join(project, "package.json"), "utf8"),
  );
  expect(JSON.parse(await readFile(join(installed, "package.json"), "utf8"))).toEqual({
    name: own["name"],
    version: own["version"],
    description: own["description"],
    license: own["license"],
    type: "module",
    bin: { toolwright: "bin.cjs", tw: "bin.cjs" },
    exports: expect.any(Object),
    engines: own["engines"],
    dependencies: own["dependencies"],
    optionalDependencies: { "@lydell/node-pty": own.optionalDependencies["@lydell/node-pty"] },
    peerDependencies: { zod: "^4" },
    peerDependenciesMeta: { zod: { optional: true } },
  });
});

test("what its documents link to is in it", async () => {
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

test("the installed command plays the demo to its end, and searches with its own ripgrep", async () => {
  const home = join(root, "home");
  await mkdir(home);
  const env = { HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home };
  const command = join(somewhere(), "node_modules", ".bin", "toolwright");
  const demo = await run(command, ["demo"], { cwd: somewhere(), env });
  expect(demo.stdout).toContain("both tests pass now");
  const doctor = await run(command, ["doctor"], { cwd: somewhere(), env });
  expect(doctor.stdout).toMatch(/^ok +ripgrep +ripgrep \d/mu);
});

test("the client is one file that imports nothing, so that a browser takes it as it is", async () => {
  const text = await readFile(join(installed, "client.js"), "utf8");
  expect(text).not.toMatch(/^import |\bfrom ?"|\bimport\(|\brequire\(|node:/mu);
});

test("the library is imported by its name, and its types are found", async () => {
  await copyFile(join(project, "examples", "01-hello.ts"), join(somewhere(), "hello.ts"));
  const ran = await run(process.execPath, ["hello.ts"], { cwd: somewhere() });
  expect(ran.stdout).toContain("Written.");

  const uses = [
    'import { tools, version, type Tool } from "toolwright";',
    'import { scripted, type TestSession } from "toolwright/testing";',
    'import { connect, type Client, type Entry } from "toolwright/client";',
    'export const client: Client = connect({ url: "http://127.0.0.1:1", token: "t" });',
    "export async function titles(): Promise<string[]> {",
    "  const { sessions } = await client.sessions({ limit: 20 });",
    "  return sessions.map(({ title }) => title);",
    "}",
    "export async function* facts(id: string): AsyncGenerator<Entry> {",
    '  for await (const event of client.live().follow(id)) if ("seq" in event) yield event;',
    "}",
    "// @ts-expect-error a result is asked for by session and call",
    'client.result("session");',
    "export const names: string[] = tools.map((tool: Tool) => tool.name).concat(version);",
    "export const session: TestSession | undefined = undefined;",
    "// @ts-expect-error a scripted model has answers",
    "scripted(3);",
  ];
  await writeFile(join(somewhere(), "uses.ts"), uses.join("\n"));
  // The peer whose types ours are made of.
  await symlink(join(project, "node_modules", "zod"), join(somewhere(), "node_modules", "zod"));
  const compiler = join(project, "node_modules", "typescript", "bin", "tsc");
  const types = join(project, "node_modules", "@types");
  const settings = ["--module", "nodenext", "--target", "es2024", "--strict", "--skipLibCheck", "--noEmit"];
  const compiled = await run(
    process.execPath,
    [compiler, ...settings, "--typeRoots", types, "--types", "node", "uses.ts"],
    { cwd: somewhere() },
  ).catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe("");
});
