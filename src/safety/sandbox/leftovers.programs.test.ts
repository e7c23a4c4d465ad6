import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endLeftRunning, ownMark } from "./left-running.ts";
import { removeLeftoversOnce, type LeftoversTold } from "./leftovers.ts";

/** A state directory that a Toolwright has left which no longer runs, and that one's mark. */
function abandoned(): { stateDir: string; mark: string } {
  const stateDir = mkdtempSync(join(tmpdir(), "toolwright-leftovers-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  mkdirSync(join(stateDir, "sandbox/runs/1-1"), { recursive: true });
  return { stateDir, mark: ownMark(stateDir).replace(/\.\d+-\d+$/, ".1-1") };
}

function started(mark: string, program: string, ...words: string[]) {
  const child = spawn(program, words, { env: { PATH: "/usr/bin:/bin", TOOLWRIGHT_OWNER: mark } });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("what leads to a sandbox, and what was started in one, is ended", async () => {
  const { stateDir, mark } = abandoned();
  const wrapper = started(mark, "/bin/sh", "-c", "read -r _; true", "/usr/bin/bwrap");
  const ended = new Promise((resolve) => wrapper.once("exit", (_, signal) => resolve(signal)));
  expect(endLeftRunning(stateDir)).toBeGreaterThan(0);
  expect(await ended).toBe("SIGKILL");
});

test("what is to be told of earlier commands waits for a command that is run, and is told once", () => {
  const told: LeftoversTold = new Map([["/state", ["moved away"]]]);
  const command = { stateDir: "/state" };
  expect(removeLeftoversOnce({ ...command, rehearsed: true }, told)).toEqual([]);
  expect(removeLeftoversOnce(command, told)).toEqual(["moved away"]);
  expect(removeLeftoversOnce(command, told)).toEqual([]);
});

test("what was started under Landlock, which has no namespace of its own, is ended by its mark", async () => {
  const { stateDir, mark } = abandoned();
  const confined = started(`${mark}.confined`, "sleep", "300");
  const ended = new Promise((resolve) => confined.once("exit", (_, signal) => resolve(signal)));
  expect(endLeftRunning(stateDir)).toBe(1);
  expect(await ended).toBe("SIGKILL");
});

test("a program outside that only inherited the mark, as a terminal of an editor does, is none of ours", () => {
  const { stateDir, mark } = abandoned();
  const innocent = started(mark, "sleep", "300");
  expect(endLeftRunning(stateDir)).toBe(0);
  expect(innocent.signalCode).toBe(null);
});

test.each([
  { left: "covers-0a", stays: false },
  { left: "layer-0a", stays: true },
])(
  "at an end in order a process leaves nothing for the next start to look after, unless a command of it still ran ($left)",
  ({ left, stays }) => {
    const stateDir = mkdtempSync(join(tmpdir(), "toolwright-leftovers-"));
    onTestFinished(() => rmSync(stateDir, { recursive: true }));
    const program = [
      `import { mkdirSync } from "node:fs";`,
      `import { join } from "node:path";`,
      `import { removeLeftoversOnce } from ${JSON.stringify(join(import.meta.dirname, "leftovers.ts"))};`,
      `import { ownDirectory } from ${JSON.stringify(join(import.meta.dirname, "runs.ts"))};`,
      `const stateDir = process.argv[1];`,
      `removeLeftoversOnce({ stateDir }, new Map());`,
      `mkdirSync(join(ownDirectory(stateDir), process.argv[2]));`,
    ].join("\n");
    execFileSync(process.execPath, ["--input-type=module", "--eval", program, stateDir, left]);
    expect(readdirSync(join(stateDir, "sandbox/runs")).length > 0).toBe(stays);
  },
);
