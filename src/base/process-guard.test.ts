/** One guard for programs that run one after the other. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { guardName, guardProcesses } from "./process-guard.ts";
import { procIsOurs } from "./process-identity.ts";

/** Process ids of this process's guards. */
const guards = (): string[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, "utf8")
    .split(" ")
    .filter((pid) => pid !== "" && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(guardName));

test.runIf(process.platform === "linux" && procIsOurs())(
  "the guard that is there serves the programs that are started later",
  () => {
    guardProcesses("TOOLWRIGHT_RUN=one")();
    const [first, ...others] = guards();
    expect([first, others]).toEqual([expect.any(String), []]);
    const release = guardProcesses("TOOLWRIGHT_RUN=two");
    expect(guards()).toEqual([first]);
    release();
    expect(guards()).toEqual([first]);
  },
);
