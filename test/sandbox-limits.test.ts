/** Limits hold for root and for an ordinary user, and a killed Toolwright leaves nothing behind. */

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultLimits } from "../src/safety/sandbox/limits.ts";
import {
  makeTools,
  people,
  type Place,
  removeTools,
  requestFor,
  runOne,
  startRunner,
  type Tools,
  inPlace,
} from "./support/sandbox-place.ts";

let tools: Tools;

beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

/** Starts as many sleeping processes as it can, and prints how many. */
const forks = (wanted: number): string =>
  `perl -e '$| = 1; my $n = 0; for (1..${wanted}) { my $p = fork; last if !defined $p; if (!$p) { sleep 30; exit } $n++ } print "started $n\\n"; kill 9, -getpgrp' 2>&1`;

test.each(people)("as $name: a command can start 300 processes, but not 2000", (person) =>
  inPlace(person, async (place) => {
    for (const profile of ["build", "open"] as const) {
      const few = await runOne(tools, place, requestFor(place, profile, forks(300)));
      expect(few.output).toContain("started 300");
      const many = await runOne(tools, place, requestFor(place, profile, forks(2000)));
      const started = Number(/started (\d+)/.exec(many.output)?.[1] ?? 0);
      expect(started).toBeLessThan(512);
      // The kernel refuses an ordinary user's processes; root's are killed.
      expect(many.warnings.join().includes("more than 512 processes")).toBe(person.uid === 0);
    }
  }),
);

test.each(people)("as $name: a fork bomb leaves no process behind", (person) =>
  inPlace(person, async (place) => {
    const bomb = "b() { b | b & }; b; sleep 1; echo over";
    // Ended by the process limit or else by its timeout: thousands of processes slow down the one that kills them.
    await runOne(tools, place, requestFor(place, "build", bomb), { wallMs: 90_000 });
    expect(runningIn(place)).toEqual([]);
  }),
);

test.each(people)("as $name: a file cannot grow beyond its limit", (person) =>
  inPlace(person, async (place) => {
    const limits = { ...defaultLimits(), fileBytes: 8 << 20 };
    const line = "head -c 20000000 /dev/zero > big; echo code $?";
    const outcome = await runOne(tools, place, requestFor(place, "build", line), { limits });
    expect(outcome.output).toMatch(/code (?!0)\d+/);
    expect(statSync(join(place.workspace, "big")).size).toBe(8 << 20);
    const usual = await runOne(
      tools,
      place,
      requestFor(place, "build", "ulimit -f; truncate -s 3G sparse; echo code $?"),
    );
    expect(usual.output).toMatch(/^2097152\n[^]*code (?!0)/);
  }),
);

test.each(people)(
  "as $name: neither one process nor all together can use more memory than the limit",
  (person) =>
    inPlace(person, async (place) => {
      const limits = { ...defaultLimits(), memoryBytes: 256 << 20 };
      const take = (megabytes: number): string =>
        `perl -e 'my $x = "x" x (${megabytes} << 20); print "took\\n"; sleep 20'`;
      const one = await runOne(tools, place, requestFor(place, "build", `${take(400)} 2>&1`), { limits });
      expect(one.output).not.toContain("took");
      const together = `for i in 1 2 3 4; do ${take(90)} & done; wait; echo all slept`;
      const four = await runOne(tools, place, requestFor(place, "build", together), { limits });
      expect(four.output).not.toContain("all slept");
      expect(four.warnings.join()).toContain("256 MiB of memory");
      const filled = await runOne(
        tools,
        place,
        requestFor(place, "build", "head -c 400000000 /dev/zero > /tmp/x; echo code $?"),
        { limits },
      );
      expect(filled.output).toMatch(/No space left|code (?!0)/);
    }),
);

test.each(people)(
  "as $name: after kill -9 no process survives, and nothing but the command's own file is left in the workspace",
  (person) =>
    inPlace(person, async (place) => {
      const line = "(setsid sleep 300 &) ; (trap '' TERM HUP; sleep 301) & echo begun > begun; sleep 302";
      for (const profile of ["build", "open", "install"] as const) {
        const runner = startRunner(tools, person);
        runner.stdin.end(JSON.stringify({ requests: [requestFor(place, profile, line)] }));
        await until(() => existsSync(join(place.workspace, "begun")));
        expect(runningIn(place).length).toBeGreaterThan(0);
        const ended = new Promise((resolve) => runner.once("close", resolve));
        runner.kill("SIGKILL");
        await ended;
        await until(() => runningIn(place).length === 0);
        expect(readdirSync(place.workspace).sort()).toEqual([".git", "a.txt", "begun"]);
        rmSync(join(place.workspace, "begun"));
      }
      const runs = join(place.stateDir, "sandbox", "runs");
      const left = readdirSync(runs);
      expect(left.length).toBeGreaterThan(0);
      await runOne(tools, place, requestFor(place, "read", "true"));
      expect(readdirSync(runs).filter((name) => left.includes(name))).toEqual([]);
    }),
);

/** Processes that belong to the place, as the host sees them. */
function runningIn({ workspace }: Place): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return (
        readFileSync(`/proc/${pid}/environ`, "latin1").includes(`HOME=${join(workspace, "..")}\0`) &&
        !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
      );
    } catch {
      return false;
    }
  });
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition).toBe(true);
}
