/** The fast tests start no program: a large process forks slowly, and half of the suite's time went into that. */

import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, expect } from "vitest";

const started: string[] = [];
const starts = ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"] as const;
for (const name of starts)
  Object.assign(childProcess, {
    [name]: (program: string | URL) => {
      started.push(String(program));
      throw new Error(`A fast test may not start ${String(program)}.`);
    },
  });
syncBuiltinESMExports();

afterEach(() => {
  const programs = started.splice(0);
  const { testPath } = expect.getState();
  const advice = `its name must end with .programs.test.ts, so that it runs with \`npm run test:programs\``;
  if (programs.length > 0) throw new Error(`${testPath} starts ${programs.join(", ")}: ${advice}.`);
});
