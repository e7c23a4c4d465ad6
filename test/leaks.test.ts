/** Nothing is left behind: no descriptor, no process, no temporary file, no memory. */

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { outputBounds } from "../src/base/bounds.ts";
import { mostWindowText } from "../src/session/log-window.ts";
import { scale } from "../src/testing/scale.ts";
import { temporaryWorkspace } from "../src/testing/workspace.ts";
import type { Leaks } from "./support/leaks-child.ts";

const run = promisify(execFile);
const child = join(import.meta.dirname, "support/leaks-child.ts");

/** TOOLWRIGHT_RUNS multiplies it: ten times is a gigabyte. */
const megabytes = Math.ceil(100 * scale);
const sessions = 200;
const mib = 1024 * 1024;

test("100 MB of command output and 200 reopened sessions leak no descriptor, process, file or memory", async () => {
  const workspace = await temporaryWorkspace({ "a.txt": "a\n" });
  const place = await temporaryWorkspace({});
  const temporary = await temporaryWorkspace({});
  const { stdout } = await run(
    process.execPath,
    ["--expose-gc", child, join(place.root, "sessions.db"), workspace.root, `${megabytes}`, `${sessions}`],
    { env: { ...process.env, TMPDIR: temporary.root }, maxBuffer: 16 * mib },
  );
  const { before, afterOutput, after, result, signalled }: Leaks = JSON.parse(stdout);
  for (const held of [afterOutput, after]) {
    expect(held.descriptors).toEqual(before.descriptors);
    expect(held.children).toEqual([]);
    expect(held.files).toEqual(before.files);
  }
  expect(result).toContain('"outcome":"ok"');
  expect(result.length).toBeLessThan(outputBounds.shown.most * 2); // what the model sees of it
  expect(signalled).toBeGreaterThan(0);
  expect(afterOutput.bytes - before.bytes).toBeLessThan(2 * mostWindowText);
  expect(after.bytes - before.bytes).toBeLessThan(2 * mostWindowText);
  expect(runningIn(workspace.root)).toEqual([]);
  expect(readdirSync(temporary.root).filter((name) => !name.startsWith("toolwright-locks-"))).toEqual([]);
  for (const each of [workspace, place, temporary]) await each.remove();
});

/** Processes of any parent that work in the directory. */
function runningIn(root: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`PWD=${root}`);
      } catch {
        return false; // gone, or owned by another user
      }
    });
}
