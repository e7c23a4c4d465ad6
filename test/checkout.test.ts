import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { newHome, type Home } from "./support/command.ts";

const checkout = join(import.meta.dirname, "..");
const script = join(checkout, "bin", "toolwright");

async function version(home: Home, program: string, cwd: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, ["--version"], { cwd, env: home.env });
  expect(stderr).toBe("");
  return stdout;
}

const aVersion = expect.stringMatching(/^toolwright \d+\.\d+\.\d+\n$/u);

test("bin/toolwright runs the checkout from any directory", async () => {
  const home = await newHome();
  expect(await version(home, script, home.workspace)).toEqual(aVersion);
  expect(await version(home, "bin/toolwright", checkout)).toEqual(aVersion);
  expect(await version(home, "./toolwright", join(checkout, "bin"))).toEqual(aVersion);
});

test("bin/toolwright runs through absolute, relative and chained symlinks", async () => {
  const home = await newHome();
  const own = join(home.root, "my programs");
  await mkdir(own);
  await symlink(script, join(own, "toolwright"));
  await symlink("toolwright", join(own, "tw"));
  expect(await version(home, join(own, "toolwright"), home.workspace)).toEqual(aVersion);
  expect(await version(home, join(own, "tw"), home.workspace)).toEqual(aVersion);
  home.env["PATH"] = `${own}:${home.env["PATH"] ?? ""}`;
  expect(await version(home, "tw", home.workspace)).toEqual(aVersion);
});

test("bin/toolwright runs from a path with spaces and special characters, and passes its arguments on", async () => {
  const home = await newHome();
  const odd = join(home.root, "a checkout (of 'mine') $HOME");
  await symlink(checkout, odd);
  expect(await version(home, join(odd, "bin", "toolwright"), home.workspace)).toEqual(aVersion);
  const args = ["--offline-model", "-p", "search  two  words "];
  const { stderr } = await promisify(execFile)(join(odd, "bin", "toolwright"), args, {
    cwd: home.workspace,
    env: home.env,
  });
  expect(stderr).toContain("Searching for two  words.");
});

/** A checkout whose build only counts how often it ran. */
async function unbuilt(): Promise<{
  root: string;
  start: () => Promise<{ stdout: string }>;
  builds: () => Promise<string>;
}> {
  const { root: home, env } = await newHome();
  const root = join(home, "checkout");
  for (const place of ["bin", "src", "scripts", "node_modules/.bin"])
    await mkdir(join(root, place), { recursive: true });
  await copyFile(script, join(root, "bin", "toolwright"));
  await symlink(process.execPath, join(root, "node_modules/.bin/node"));
  await writeFile(join(root, "package.json"), '{ "type": "module" }');
  await writeFile(
    join(root, "scripts/build.ts"),
    `import { appendFileSync, writeFileSync } from "node:fs";
appendFileSync(${JSON.stringify(join(root, "builds"))}, "built\\n");
writeFileSync(${JSON.stringify(join(root, "dist/bin.cjs"))}, "console.log('runs')");\n`,
  );
  return {
    root,
    start: () => promisify(execFile)(join(root, "bin", "toolwright"), [], { env }),
    builds: () => readFile(join(root, "builds"), "utf8"),
  };
}

test("of five starts at once one builds the checkout, and the others wait for it", async () => {
  const { root, start, builds } = await unbuilt();
  const started = await Promise.all([start(), start(), start(), start(), start()]);
  expect(started.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 5 }, () => "runs\n"));
  expect(await builds()).toBe("built\n");
  await expect(readlink(join(root, "dist/.building"))).rejects.toThrow("ENOENT");
});

test("a build that was killed keeps nobody waiting", async () => {
  const { root, start, builds } = await unbuilt();
  await mkdir(join(root, "dist"));
  await symlink("4999999", join(root, "dist/.building"));
  expect((await start()).stdout).toBe("runs\n");
  expect(await builds()).toBe("built\n");
});
