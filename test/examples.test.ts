import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const folder = join(import.meta.dirname, "..", "examples");
const examples = readdirSync(folder).filter((name) => name.endsWith(".ts"));

test("the examples are exactly those listed here", async () => {
  expect(examples).toEqual([
    "01-hello.ts",
    "02-own-tool.ts",
    "03-own-model.ts",
    "04-embed-in-server.ts",
    "05-model-without-tools.ts",
    "06-own-dialect.ts",
    "07-hooks.ts",
    "08-test-a-tool.ts",
  ]);
});

test.each(examples)("the example %s runs on the built library without any settings", async (name) => {
  const home = await mkdtemp(join(tmpdir(), "toolwright-examples-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: home };
  const ran = await promisify(execFile)(process.execPath, [join(folder, name)], { cwd: home, env });
  expect(ran.stdout).not.toBe("");
  expect(ran.stderr).toBe("");
});
