/** What the build makes: a command that any Node can begin, a library, and its types. */

import { execFile } from "node:child_process";
import { access, copyFile, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPty, type PtyEnd } from "../src/base/terminal/pty.ts";

const dist = join(import.meta.dirname, "..", "dist");
let root: string;
/** A copy, which has no Node beside it. */
let bin: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "toolwright-build-"));
  bin = await copyTo(join(root, "dist"));
  await writeFile(join(root, "old.cjs"), oldNode);
  await writeFile(join(root, "loaded.cjs"), sayWhatIsLoaded);
});
afterAll(() => rm(root, { recursive: true }));

async function copyTo(folder: string): Promise<string> {
  await mkdir(folder);
  await symlink(join(dist, "chunks"), join(folder, "chunks"));
  await copyFile(join(dist, "bin.cjs"), join(folder, "bin.cjs"));
  return join(folder, "bin.cjs");
}

/** Makes this Node appear old to modules loaded later. */
const oldNode =
  'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });\n';
const sayWhatIsLoaded = 'process.on("exit", () => console.error(Object.keys(require.cache).join("\\n")));\n';

function run(
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    execFile(process.execPath, args, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

test("--version and -V print the version and load nothing else", async () => {
  const manifest: { version: string } = JSON.parse(
    await readFile(join(import.meta.dirname, "..", "package.json"), "utf8"),
  );
  for (const flag of ["--version", "-V"]) {
    const { code, stdout, stderr } = await run(["--require", join(root, "loaded.cjs"), bin, flag]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `toolwright ${manifest.version}\n` });
    expect(stderr.trim().split("\n")).toEqual([join(root, "loaded.cjs"), bin]);
  }
});

test("until the prompt stands only what it needs is loaded: few files, and nothing of what comes behind it", async () => {
  const told = join(root, "told.json");
  await writeFile(join(root, "until-prompt.cjs"), sayWhatIsLoadedBy(told));
  const home = join(root, "home");
  await mkdir(join(home, "work"), { recursive: true });
  const ended = Promise.withResolvers<PtyEnd>();
  const pty = await openPty({
    command: [process.execPath, "--require", join(root, "until-prompt.cjs"), bin, "--offline-model"],
    cwd: join(home, "work"),
    env: { HOME: home, PATH: process.env["PATH"] ?? "", TERM: "xterm-256color", LANG: "C.UTF-8" },
    columns: 80,
    rows: 24,
    onOutput: (bytes) => {
      if (Buffer.from(bytes).toString().includes("? keys")) leave();
    },
    onEnd: ended.resolve,
  });
  if (!pty.ok) throw new Error(pty.problem);
  const leave = (): void => void pty.value.write("\u0004");
  expect(await ended.promise).toEqual({ exit: 0 });
  const paths: string[] = JSON.parse(await readFile(told, "utf8"));
  const chunks = paths.filter((path) => path.includes("/chunks/"));
  const names = chunks.map((path) => basename(path).replace(/-[^-]{8}\.cjs$/u, ""));
  const sizes = await Promise.all(chunks.map(async (path) => (await stat(path)).size));
  for (const later of [
    "sandbox",
    "first-run",
    "session-bundles",
    "facts",
    "diff",
    "own-command",
    "judge",
    "judging",
    "ran",
  ])
    expect(names).not.toContain(later);
  expect(chunks.length).toBeLessThanOrEqual(mostChunks);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(mostBytes);
});

/** Raise them only for what the prompt itself needs. */
const mostChunks = 8;
const mostBytes = 2_200_000;

/** When the prompt is written. */
const sayWhatIsLoadedBy = (file: string): string => `
const { writeFileSync } = require("node:fs");
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...more) => {
  if (String(text).includes("? keys")) {
    process.stdout.write = write;
    writeFileSync(${JSON.stringify(file)}, JSON.stringify(Object.keys(require.cache)));
  }
  return write(text, ...more);
};
`;

test("a request whose session is kept in a file loads nothing of a team's server", async () => {
  const home = await mkdtemp(join(root, "request-"));
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state") };
  const workspace = join(home, "work");
  await mkdir(workspace);
  const ofTeams = async (...more: string[]): Promise<string[]> => {
    const words = [bin, "--offline-model", "--cwd", workspace, ...more, "-p", "Go."];
    const { stderr } = await run(["--require", join(root, "loaded.cjs"), ...words], env);
    const paths = stderr.split("\n").filter((line) => line.startsWith("/"));
    expect(paths.length).toBeGreaterThan(2);
    return paths.filter((path) => /\/(?:pg|@dbos-inc)\/|\/(?:postgres|dbos)[\w-]*\.cjs$/u.test(path));
  };
  expect(await ofTeams()).toEqual([]);
  expect(await ofTeams("--database", "postgres://nobody@127.0.0.1:1/none")).toEqual(
    expect.arrayContaining([
      expect.stringContaining("/node_modules/pg/"),
      expect.stringMatching(/\/postgres-[\w-]+\.cjs$/u),
    ]),
  );
});

test("on an old Node the command prints one line that says what to do", async () => {
  expect(await run(["--require", join(root, "old.cjs"), bin, "--help"])).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "toolwright needs Node 24 or newer and this is Node 20.20.2: in a checkout run `npm ci` and then `bin/toolwright`, elsewhere install a newer Node.\n",
  });
});

test("on an old Node the command hands over to the checkout's own Node and returns its exit code", async () => {
  const checkout = join(root, "checkout");
  await mkdir(join(checkout, "node_modules", ".bin"), { recursive: true });
  await symlink(process.execPath, join(checkout, "node_modules", ".bin", "node"));
  const old = ["--require", join(root, "old.cjs"), await copyTo(join(checkout, "dist"))];

  expect((await run([...old, "--help"])).stdout).toContain("--model");
  const refused = await run([...old, "--no-such-option"]);
  expect({ code: refused.code, lines: refused.stderr.trim().split("\n").length }).toEqual({
    code: 2,
    lines: 1,
  });
});

test("the entry file uses only syntax that an old Node can parse", async () => {
  const entry = await readFile(bin, "utf8");
  expect(entry).not.toMatch(/\?\?|\?\.|\bawait\b|\basync\b|\bimport\(|^import /mu);
});

test("the library and its types are built", async () => {
  for (const name of ["index.js", "testing.js", "types/src/index.d.ts", "types/src/testing.d.ts"])
    await expect(access(join(dist, name))).resolves.toBeUndefined();
});
