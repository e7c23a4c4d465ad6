/** Limits hold for root and for an ordinary user, and a killed Toolwright leaves nothing behind. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultLimits } from "../../src/safety/sandbox/process-limits.ts";
import { temporaryWorkspace } from "../../src/testing/workspace.ts";
import { runCommand } from "../../src/tools/run-command.ts";
import { runTool, testContext } from "../../src/tools/testing/context.ts";
import { casesFor, killOnce } from "../support/kills.ts";
import {
  makePlace,
  makeTools,
  own,
  people,
  type Place,
  removePlace,
  removeTools,
  requestFor,
  runAs,
  runOne,
  startRunner,
  type Tools,
  inPlace,
} from "../support/sandbox-place.ts";

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

/** Ways to take memory that is not, or not only, a process's own. Each prints "took" when it has taken 400 MiB. */
const python = (body: string): string =>
  `/usr/bin/python3 -c 'import os, mmap, time
n = 400 << 20
${body}
print("took", flush=True)
time.sleep(60)' 2>&1`;
const fill = "for at in range(0, n, 4096): m[at] = 1";
const sharedMemory: readonly (readonly [string, string])[] = [
  ["shared maps", python(`m = mmap.mmap(-1, n)\n${fill}`)],
  [
    "memory files that are only written",
    python('f = os.memfd_create("x")\nfor i in range(400): os.write(f, b"x" * (1 << 20))'),
  ],
  [
    "memory files that are mapped and closed",
    python(`f = os.memfd_create("x")\nos.ftruncate(f, n)\nm = mmap.mmap(f, n)\nos.close(f)\n${fill}`),
  ],
  [
    "all places for temporary files together",
    "for at in /tmp /var/tmp /dev/shm /run; do head -c 100000000 /dev/zero >$at/x; done; echo took; sleep 60",
  ],
];

test.each(people)("as $name: shared memory counts, whatever it is made of", (person) =>
  inPlace(person, async (place) => {
    const limits = { ...defaultLimits(), memoryBytes: 256 << 20 };
    for (const [name, line] of sharedMemory) {
      const outcome = await runOne(tools, place, requestFor(place, "build", line), { limits });
      expect(`${name}: ${outcome.warnings.join()}`).toContain("256 MiB of memory");
    }
    const segments = "for i in $(seq 40); do ipcmk -M 16000000 || break; done >/dev/null 2>&1";
    const created = await runOne(
      tools,
      place,
      requestFor(place, "build", `${segments}; ipcs -m | grep -c 16000000`),
      {
        limits,
      },
    );
    expect(Number(created.output.match(/\d+$/m)?.[0])).toBeLessThan(3);
    const devices = await runOne(
      tools,
      place,
      requestFor(place, "build", "echo x > /dev/x; echo x > /dev/null && echo ok"),
    );
    expect(devices.output).toMatch(/Read-only file system\n[^]*ok/);
  }),
);

test.each(people)("as $name: memory that processes share counts once", (person) =>
  inPlace(person, async (place) => {
    const limits = { ...defaultLimits(), memoryBytes: 256 << 20 };
    const own = "m = bytearray(os.urandom(1 << 20)) * 100";
    const mapped =
      'f = open("/dev/shm/x", "w+b")\nf.truncate(n)\nm = mmap.mmap(f.fileno(), n)\nm[:] = b"x" * n';
    for (const body of [own, `n = 60 << 20\n${mapped}`]) {
      const forked = `import os, mmap, time
n = 0
${body}
pids = []
for i in range(6):
    p = os.fork()
    if p == 0:
        total = sum(m[at] for at in range(0, len(m), 4096))
        time.sleep(2)
        os._exit(0)
    pids.append(p)
for p in pids: os.waitpid(p, 0)
print("all ended")`;
      const line = `/usr/bin/python3 -c '${forked}' 2>&1`;
      const outcome = await runOne(tools, place, requestFor(place, "build", line), { limits });
      expect([outcome.output, outcome.warnings]).toEqual(["all ended\n", []]);
    }
  }),
);

test.each(people)("as $name: 1,500 processes of others, most of them dead, count for no command", (person) =>
  inPlace(person, async (place) => {
    const crowd = spawn(
      "/usr/bin/python3",
      [
        "-c",
        "import os, time\nfor i in range(1500):\n    if os.fork() == 0: os._exit(0)\nprint('crowd', flush=True)\ntime.sleep(600)",
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    try {
      await once(crowd.stdout, "data");
      for (const more of [{}, { overlay: true }] as const) {
        const requests = Array.from({ length: 12 }, () =>
          requestFor(place, "build", "sleep 0.1; echo ran", more),
        );
        const outcomes = await runAs(tools, person, { requests, together: true });
        expect(outcomes.map(({ output, warnings }) => [output, warnings])).toEqual(
          outcomes.map(() => ["ran\n", []]),
        );
      }
    } finally {
      crowd.kill("SIGKILL");
    }
  }),
);

test.each(people)("as $name: a command can add only so much to the disk, however it does that", (person) =>
  inPlace(person, async (place) => {
    const limits = { ...defaultLimits(), diskBytes: 64 << 20 };
    const write =
      "for i in $(seq 30); do head -c 10000000 /dev/urandom >f$i; sync f$i; sleep 0.1; done; echo all";
    const reserve = "for i in $(seq 30); do fallocate -l 10000000 f$i; sleep 0.1; done; echo all";
    for (const [line, more] of [
      [write, {}],
      [write, { overlay: true }],
      [reserve, { overlay: true }],
    ] as const) {
      const outcome = await runOne(tools, place, requestFor(place, "build", line, more), { limits });
      expect(outcome.output).not.toContain("all");
      expect(outcome.warnings.join()).toContain("more than 64 MiB");
    }
    const large = requestFor(place, "build", "fallocate -l 100000000 big; sleep 30; echo all", {
      overlay: true,
    });
    const stopped = await runOne(tools, place, large, { limits });
    expect(stopped.output).not.toContain("all");
    expect(stopped.uncovered).toEqual(["big: 1 file (larger than 64 MiB)"]);
    const again =
      "for i in $(seq 10); do head -c 10000000 /dev/urandom >f; sync f; sleep 0.1; done; echo all";
    const rewritten = await runOne(tools, place, requestFor(place, "build", again), { limits });
    expect([rewritten.output, rewritten.warnings]).toEqual(["all\n", []]);
    const others = join(place.outside, "big");
    const grower = spawn("/bin/sh", ["-c", `head -c 150000000 /dev/zero >${others}; sync ${others}`]);
    const idle = await runOne(tools, place, requestFor(place, "build", "sleep 2; echo all"), { limits });
    expect([idle.output, idle.warnings]).toEqual(["all\n", []]);
    grower.kill();
  }),
);

/** `node bench/kills.ts 1000` does the same a thousand times. */
test.each(people)("as $name: whenever Toolwright is killed, nothing goes on without it", (person) =>
  inPlace(person, async (place) => {
    const moments = [0, 15].map((ms) => ({ after: "started", ms }) as const);
    for (const tried of casesFor(person)) {
      for (const moment of [...moments, { after: "found", ms: 5 } as const]) {
        const killed = await killOnce(tried, { place, tools }, moment);
        expect({ tried: tried.name, moment, ...killed }).toEqual({
          tried: tried.name,
          moment,
          survivors: [],
          late: false,
          left: 0,
        });
      }
    }
  }),
);

test.each(people)(
  "as $name: what survived all the same is ended by the next start, and nothing else",
  (person) =>
    inPlace(person, async (place) => {
      const other = makePlace(person);
      const runner = startRunner(tools, person);
      runner.stdin.end(
        JSON.stringify({ requests: [requestFor(place, "build", "echo begun >begun; sleep 300")] }),
      );
      await until(() => existsSync(join(place.workspace, "begun")));
      const living = variableOf(place);
      expect(living).toContain(`.${runner.pid}-`);
      const survivor = (owner: string) =>
        spawn("/bin/sh", ["-c", "read -r _; true", "/usr/bin/bwrap"], {
          env: { TOOLWRIGHT_OWNER: owner },
          ...(person.uid === 0 ? {} : { uid: person.uid, gid: person.uid }),
        });
      const [left, others, alive] = [
        living.replace(/\.\d+-/, ".1-"),
        `0123456789abcdef01234567.1-1`,
        living,
      ].map(survivor);
      const ends = new Promise((resolve) => left?.once("exit", (_, signal) => resolve(signal)));
      mkdirSync(join(place.stateDir, "sandbox", "runs", "1-1"));
      own(place.stateDir, person);
      await runOne(tools, other, requestFor(other, "read", "true"));
      expect(left?.signalCode).toBe(null);
      await runOne(tools, place, requestFor(place, "read", "true"));
      expect(await ends).toBe("SIGKILL");
      expect([others, alive, runner].map((child) => child?.signalCode)).toEqual([null, null, null]);
      for (const child of [others, alive, runner]) child?.kill("SIGKILL");
      removePlace(other);
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

test("A33: a command that prints without end is stopped, and told why", async () => {
  const workspace = await temporaryWorkspace({});
  const ran = await runTool(runCommand, { command: "yes" }, testContext(workspace.root));
  expect(ran.outcome).toBe("failed");
  expect(JSON.stringify(ran.content)).toContain(
    "It printed more than 512 MiB, of which nothing more could be kept; it was stopped.",
  );
  await workspace.remove();
});

/** Whose the place's commands say that they are. */
function variableOf(place: Place): string {
  const text = readFileSync(`/proc/${runningIn(place)[0]}/environ`, "latin1");
  return /(?:^|\0)TOOLWRIGHT_OWNER=([^\0]*)/.exec(text)?.[1] ?? "";
}

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
