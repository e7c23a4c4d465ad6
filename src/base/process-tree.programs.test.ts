import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { anyCarries, stopTree } from "./process-tree.ts";

afterEach(() => vi.restoreAllMocks());

test.each([
  ["everybody (1)", 1],
  ["our own group (0)", 0],
  ["a group (-1)", -1],
  ["no number", Number.NaN],
  ["ourselves", process.pid],
  ["who has started us", process.ppid],
])("SAFETY 6: a pid that cannot be one of our programs kills nothing: %s", async (_, leader) => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  await stopTree(leader);
  await stopTree(leader, { marker: "TOOLWRIGHT_NOBODY=1" });
  await stopTree(leader, { groupOnly: true });
  expect(kill).not.toHaveBeenCalled();
});

test.each(["", "=", "PATH", "TOOLWRIGHT_RUN=", "=1"])(
  "SAFETY 6: a marker that names no run kills nothing: %j",
  async (marker) => {
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    await stopTree(undefined, { marker });
    expect(anyCarries(marker)).toBe(false);
    expect(kill).not.toHaveBeenCalled();
  },
);

test("SAFETY 6: processes that carry a run's marker are killed, but not the shell that we were started in", async () => {
  const marker = `TOOLWRIGHT_RUN=${randomUUID()}`;
  const [name = "", value] = marker.split("=");
  const tree = join(import.meta.dirname, "process-tree.ts");
  const stop = `const { stopTree } = await import(${JSON.stringify(tree)}); await stopTree(undefined, { marker: ${JSON.stringify(marker)} });`;
  const script = 'setsid sleep 1000 & "$0" --input-type=module -e "$1"; kill -0 $! 2>&1 || echo survived';
  const { stdout } = await promisify(execFile)("bash", ["-c", script, process.execPath, stop], {
    env: { ...process.env, [name]: value },
  });
  expect(stdout).toMatch(/survived\n$/);
});
