import { execFile } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
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
