import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bytesReadBy, isInteractiveShell, isShellElsewhere } from "./reader.ts";

/** Starts a bash with these arguments that waits for input. */
async function bash(...words: readonly string[]): Promise<{ pid: number; name: string }> {
  const directory = mkdtempSync(join(tmpdir(), "toolwright-"));
  writeFileSync(join(directory, "script"), "read x");
  const child = spawn("bash", words, { cwd: directory, stdio: ["pipe", "ignore", "ignore"] });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    rmSync(directory, { recursive: true });
  });
  await once(child, "spawn");
  return { pid: child.pid ?? 0, name: "bash" };
}

test.each([
  [[], true],
  [["-i"], true],
  [["--norc", "-O", "extglob"], true],
  [["--rcfile", "script", "-o", "vi"], true],
  [["-s", "word"], true],
  [["/dev/stdin"], true],
  [["script"], false],
  [["--norc", "script", "-i"], false],
  [["-c", "read x"], false],
  [["-ec", "read x"], false],
] as const)("bash with %j reads commands: %s", async (words, expected) => {
  expect(isInteractiveShell(await bash(...words))).toBe(expected);
});

test("a shell that is gone counts as interactive, and script, ssh and tmux count as shells elsewhere", () => {
  expect(isInteractiveShell({ pid: 2 ** 30, name: "zsh" })).toBe(true);
  expect(isInteractiveShell({ pid: 2 ** 30, name: "vim" })).toBe(false);
  expect(["script", "ssh", "tmux: client", "vim"].map((name) => isShellElsewhere({ name }))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test("the bytes that a process has read are counted where the system reports them", async () => {
  expect(bytesReadBy(2 ** 30)).toBeUndefined();
  expect(bytesReadBy((await bash()).pid)).toBeGreaterThan(0);
});
