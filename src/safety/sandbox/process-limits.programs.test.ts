import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { processesElsewhere, withLimits } from "./process-limits.ts";

const limits = { processes: 77, fileBytes: 1 << 20, memoryBytes: 1 << 30, diskBytes: 0 };

/** bash knows the number of processes as "u", and "p" as the size of a pipe; dash knows "p" only. */
const shells = ["/bin/bash", "/bin/dash", "/bin/sh"].filter((path) => existsSync(path));

test.runIf(process.platform === "linux").each(shells)("%s limits the number of processes", (shell) => {
  const [, ...words] = withLimits(["cat", "/proc/self/limits"], limits);
  const said = execFileSync(shell, words, { encoding: "utf8", stdio: "pipe" });
  expect(said).toMatch(new RegExp(`^Max processes +${77 + processesElsewhere()} `, "m"));
});

test.runIf(process.platform === "linux")("a limit that cannot be set keeps the command from running", () => {
  const [shell = "", c = "", script = "", ...words] = withLimits(["echo", "ran"], limits);
  const line = script.replaceAll(/(?<=ulimit -[up] )\d+/gu, "none");
  expect(() => execFileSync(shell, [c, line, ...words], { stdio: "pipe" })).toThrow(/ulimit/u);
});
