/**
 * `npm run dev`: builds at each change, and runs the tests of what changed since the last commit, again and again
 * until it is stopped.
 */

import { spawn, type StdioOptions } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const start = (words: readonly string[], stdio: StdioOptions) =>
  spawn(process.execPath, words, { cwd: root, stdio });

const building = start(
  ["--watch", "--watch-preserve-output", "--watch-path=src", "scripts/build.ts"],
  ["ignore", "ignore", "inherit"],
);
const beside = ["--project", "fast", "--project", "programs"];
const testing = start(
  ["node_modules/vitest/vitest.mjs", ...beside, "--changed", "--watch", ...process.argv.slice(2)],
  "inherit",
);
testing.once("exit", (code) => {
  building.kill();
  process.exitCode = code ?? 1;
});
