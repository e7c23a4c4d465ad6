import { existsSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { HeadAndTailBuffer } from "./kept-output.ts";
import { childEnvironment, type ProcessOutcome, type ProcessRequest, runProcess } from "./process.ts";

type Shown = Omit<ProcessOutcome, "output"> & { output: string };

async function bash(script: string, more: Partial<ProcessRequest> = {}): Promise<Shown> {
  const outcome = await runProcess({
    command: ["bash", "--noprofile", "--norc", "-c", script],
    cwd: "/",
    env: process.env,
    ...more,
  });
  return { ...outcome, output: Buffer.from(outcome.output.bytes).toString() };
}

const isGone = (pid: string): boolean =>
  !existsSync(`/proc/${pid}`) || /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

test("output of both streams arrives in the order it was written, with the exit code", async () => {
  const shown: string[] = [];
  const script = "for i in 1 2 3; do echo out $i; echo err $i >&2; done; exit 3";
  const outcome = await bash(script, { onOutput: (text) => shown.push(text) });
  const output = "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n";
  expect({ ...outcome, shown: shown.join("") }).toEqual({ exit: 3, cancelled: false, output, shown: output });
});

test("a program gets empty input and no terminal to ask on", async () => {
  expect(await bash("cat; (echo x > /dev/tty) 2>/dev/null || echo no terminal")).toEqual({
    exit: 0,
    cancelled: false,
    output: "no terminal\n",
  });
});

test("arguments reach the program unchanged", async () => {
  const outcome = await runProcess({
    command: ["printf", "%s|", "a b", "$HOME", "'\"", "*"],
    cwd: "/",
    env: process.env,
  });
  expect(Buffer.from(outcome.output.bytes).toString()).toBe("a b|$HOME|'\"|*|");
});

test("a terminating signal is reported, and a failure to start is returned as a value", async () => {
  expect(await bash("kill -9 $$")).toEqual({ signal: "SIGKILL", cancelled: false, output: "" });
  expect(await bash("true", { cwd: "/does-not-exist" })).toMatchObject({
    cancelled: false,
    problem: expect.stringContaining("ENOENT"),
  });
  expect(await bash("true", { command: [] })).toMatchObject({ problem: "There is no program to start." });
  expect(await bash("true", { command: ["no-such-program"] })).toMatchObject({ exit: 127 });
});

test("silence and total time each have a limit, and the whole process tree is stopped", async () => {
  const script = "(trap '' TERM; echo $BASHPID; sleep 60) & sleep 60";
  const idle = await bash(script, { idleMs: 300, wallMs: 60_000 });
  expect({ timedOut: idle.timedOut, gone: isGone(idle.output.trim()) }).toEqual({
    timedOut: "idle",
    gone: true,
  });
  const wall = await bash("while :; do echo x; sleep 0.05; done", { idleMs: 60_000, wallMs: 300 });
  expect(wall.timedOut).toBe("wall");
});

test("processes that left the process group are stopped too, even without a parent", async () => {
  const orphan = "(setsid bash -c 'echo $$; trap \"\" TERM; sleep 60; sleep 60' &)";
  const child = "setsid bash -c 'echo $$; sleep 60; sleep 60' &";
  const controller = new AbortController();
  let seen = "";
  const onOutput = (text: string): void => {
    seen += text;
    if (seen.split("\n").length === 3) controller.abort();
  };
  const outcome = await bash(`${orphan} ${child} sleep 60`, { signal: controller.signal, onOutput });
  expect(outcome.cancelled).toBe(true);
  expect(seen.trim().split("\n").map(isGone)).toEqual([true, true]);
});

test("A34: a grandchild that keeps the output open does not delay the end of the run, and is stopped", async () => {
  const outcome = await bash("sleep 60 & echo $!");
  expect({ exit: outcome.exit, gone: isGone(outcome.output.trim()) }).toEqual({ exit: 0, gone: true });
});

test("a run cancelled before it begins starts nothing", async () => {
  expect(await bash("echo x", { signal: AbortSignal.abort() })).toEqual({ cancelled: true, output: "" });
});

test("of a hundred megabytes of output the start and the end are kept and the rest is counted", async () => {
  const outcome = await runProcess({
    command: ["bash", "-c", "echo start; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo end"],
    cwd: "/",
    env: process.env,
    maxKeep: 4000,
  });
  const text = Buffer.from(outcome.output.bytes).toString();
  expect(outcome.output).toMatchObject({ total: 100_000_011, dropped: 99_996_011 });
  expect(text.startsWith("start\nxxx")).toBe(true);
  expect(text.endsWith("xxx\nend\n")).toBe(true);
  expect(text).toContain("\n[99996011 bytes of output left out]\n");
});

test("a program that prints without end is stopped at its limit, whatever signals it ignores", async () => {
  for (const line of ["yes", "trap '' PIPE TERM; while :; do echo more; done 2>/dev/null"]) {
    const outcome = await runProcess({
      command: ["bash", "-c", line],
      cwd: "/",
      env: process.env,
      maxKeep: 4000,
      maxOutput: 200_000,
    });
    expect(outcome).toMatchObject({ flooded: true, cancelled: false });
    expect(outcome.output.total).toBeLessThan(1_000_000);
  }
  const within = await runProcess({
    command: ["head", "-c", "200000", "/dev/zero"],
    cwd: "/",
    env: process.env,
    maxOutput: 200_000,
  });
  expect([within.flooded, within.exit]).toEqual([undefined, 0]);
});

test("however output is split into chunks, the same start and end are kept", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 50 })),
      fc.integer({ min: 4, max: 200 }),
      (pieces, space) => {
        const buffer = new HeadAndTailBuffer(space);
        for (const piece of pieces) buffer.add(piece);
        const all = Buffer.concat(pieces);
        const { bytes, total, dropped } = buffer.kept();
        expect({ total, dropped }).toEqual({ total: all.length, dropped: Math.max(0, all.length - space) });
        const head = Math.min(all.length, Math.floor(space / 4));
        const kept = Buffer.from(bytes);
        expect(kept.subarray(0, head)).toEqual(all.subarray(0, head));
        const tail = Math.min(all.length, space) - head;
        expect(kept.subarray(kept.length - tail)).toEqual(all.subarray(all.length - tail));
      },
    ),
  );
});

test("characters split across chunks are decoded whole", async () => {
  const shown: string[] = [];
  await bash("for b in '\\xf0' '\\x9f' '\\x98' '\\x80'; do printf $b; sleep 0.02; done", {
    onOutput: (text) => shown.push(text),
  });
  expect(shown.join("")).toBe("😀");
});

test("programs do not get the keys of model providers, nor variables that change how bash reads a command", () => {
  const env = {
    PATH: "/bin",
    ANTHROPIC_API_KEY: "k",
    OPENAI_API_KEY: "k",
    SOME_API_KEY: "k",
    GITHUB_TOKEN: "t",
    BASH_ENV: "x",
    ENV: "x",
    "BASH_FUNC_ls%%": "() { rm; }",
    SHELLOPTS: "xtrace",
    BASHOPTS: "expand_aliases",
    PS4: "$(x)",
    CDPATH: "/",
    NODE_ENV: "test",
    UNSET: undefined,
  };
  expect(childEnvironment(env)).toEqual({ PATH: "/bin", GITHUB_TOKEN: "t", NODE_ENV: "test" });
});

test("a program gets its feeds whole on descriptors 3 and 4, and need not read them", async () => {
  const big = Buffer.alloc(300_000, "x");
  const outcome = await bash(
    "wc -c <&3; cat <&4; ls -l /proc/self/fd | grep -c -E ' ([5-9]|[0-9]{2,}) -> [^/]'",
    {
      feeds: [big, Buffer.from("second\n")],
    },
  );
  expect(outcome.output).toBe("300000\nsecond\n0\n");
  expect(await bash("exit 3", { feeds: [big] })).toMatchObject({ exit: 3 });
});

test("a program inherits no descriptor that our own parent left open", async () => {
  const program = `import { runProcess } from ${JSON.stringify(import.meta.resolve("./process.ts"))};
    const { output } = await runProcess({ command: ["readlink", "/proc/self/fd/120", "/proc/self/fd/200"], cwd: "/", env: process.env });
    process.stdout.write(output.bytes);`;
  const { output } = await bash('exec 120</ 200</etc; "$NODE" --input-type=module -e "$PROGRAM"', {
    env: { ...process.env, NODE: process.execPath, PROGRAM: program },
  });
  expect(output).toBe("/dev/null\n/dev/null\n");
});

test("a run reports its pid and the marker of its processes", async () => {
  const told: string[] = [];
  const { output } = await bash("echo $$; (env | grep ^TOOLWRIGHT_RUN=)", {
    onStart: (pid, marker) => told.push(`${pid}`, marker),
  });
  expect(told).toEqual(output.trim().split("\n"));
});
