/** Issue 20: a launcher waits for a command before that is there. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ProcessOutcome, runProcess } from "../../src/base/process.ts";
import type { ContainRequest } from "../../src/safety/sandbox/request.ts";
import {
  type ContainedRun,
  findSandbox,
  type Sandbox,
  type SandboxOutcome,
} from "../../src/safety/sandbox/sandbox.ts";
import { makePlace, people, type Place, removePlace, requestFor, write } from "../support/sandbox-place.ts";

type Found = { sandbox: Exclude<Sandbox, { kind: "none" }>; place: Place; closing: AbortController };

async function found(): Promise<Found> {
  const [person] = people;
  if (!person) throw new Error("nobody");
  const place = makePlace(person);
  onTestFinished(() => removePlace(place));
  const closing = new AbortController();
  onTestFinished(async () => {
    closing.abort();
    await expect.poll(waitingNow).toEqual([]);
  });
  const sandbox = await findSandbox({ closing: closing.signal });
  if (sandbox.kind === "none") throw new Error(sandbox.because);
  return { sandbox, place, closing };
}

/** `waited`: the process that had been waiting for it. */
type Ran = {
  outcome: ProcessOutcome;
  output: string;
  waited: number | undefined;
  refused: SandboxOutcome["refused"];
};

async function run(
  { sandbox, place }: Found,
  line: string,
  more: Partial<ContainRequest> = {},
): Promise<Ran> {
  const contained = await sandbox.contain(requestFor(place, "build", line, more));
  if (!contained.ok) throw new Error(contained.problem);
  let waited: number | undefined;
  const waiting: ContainedRun["waiting"] = () => {
    const one = contained.value.waiting?.();
    waited = one?.child.pid;
    return one;
  };
  const outcome = await runProcess({ ...contained.value, waiting, cwd: "/" });
  const { refused, settled } = await contained.value.finished();
  await settled();
  return { outcome, output: Buffer.from(outcome.output.bytes).toString(), waited, refused };
}

/** Each has this file's process as its parent, as every launcher has. */
const waitingNow = (): number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, "utf8")
    .split(" ")
    .map(Number)
    .filter(
      (pid) => pid > 0 && !isGone(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("perl"),
    );

/** The number of the one that waits then. */
function start({ sandbox }: Found): number {
  sandbox.startNext?.();
  return waitingNow().at(-1) ?? Number.NaN;
}

const isGone = (pid: number): boolean =>
  !existsSync(`/proc/${pid}`) || /^\d+ \(.*\) Z/u.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

test("a command that was waited for finds everything as any other does", async () => {
  const at = await found();
  const line =
    'echo 1; echo 2 >&2; echo "$GIVEN $PERL5OPT"; pwd; cat; ls /proc/self/fd; env | cut -d= -f1 | sort; ls /sys/class/net /proc/self/ns; exit 3';
  const env = { PATH: "/usr/bin:/bin", GIVEN: "ä\n=", PERL5OPT: "-MEvil" };
  const first = await run(at, line, { env });
  const waiting = start(at);
  const second = await run(at, line, { env });
  expect({ ...second, outcome: second.outcome.exit }).toEqual({
    outcome: 3,
    output: first.output,
    waited: waiting,
    refused: [],
  });
});

test("what is refused a command is known whether its launcher was ready for that or had just been started", async () => {
  const at = await found();
  const first = await run(at, "echo x > /opt/refused");
  const waiting = start(at);
  await expect.poll(() => readFileSync(`/proc/${waiting}/syscall`, "utf8")).toMatch(readingItsOrder);
  const second = await run(at, "echo x > /opt/refused");
  const refused = [{ wanted: "write", path: "/opt/refused" }];
  expect([first.refused, second.refused, second.waited]).toEqual([refused, refused, waiting]);
});

/** It waits in read, of its third descriptor: by then it has waited for a while, and has used that. */
const readingItsOrder = /^(?:0|63) 0x3 /u;

test("the run of another Toolwright around us does not become the command's", async () => {
  const at = await found();
  const env = { PATH: "/usr/bin:/bin", TOOLWRIGHT_RUN: "outer" };
  const first = await run(at, 'echo "$TOOLWRIGHT_RUN"', { env });
  start(at);
  const second = await run(at, 'echo "$TOOLWRIGHT_RUN"', { env });
  expect(new Set(["outer\n", first.output, second.output]).size).toBe(3);
});

test("only one waits, it is given away once, and the next one is started then", async () => {
  const at = await found();
  await run(at, "true");
  const waiting = start(at);
  expect([start(at), waitingNow()]).toEqual([waiting, [waiting]]);
  expect(await run(at, "echo a")).toMatchObject({ output: "a\n", waited: waiting });
  const next = waitingNow();
  expect(next).toEqual([expect.any(Number)]);
  expect(next).not.toContain(waiting);
  expect(await run(at, "echo b")).toMatchObject({ output: "b\n", waited: next[0] });
});

test("what is hidden from a command is what is there when it starts, not when its launcher did", async () => {
  const at = await found();
  await run(at, "true");
  start(at);
  write(at.place.workspace, ".env", "KEY=late\n");
  write(at.place.workspace, "b.txt", "second\n");
  const { output, waited } = await run(at, "cat a.txt b.txt .env 2>/dev/null");
  expect({ output, isWaited: waited !== undefined }).toEqual({ output: "first\nsecond\n", isWaited: true });
});

test("a command that shares the network of the machine, or has a terminal, does not take it", async () => {
  const at = await found();
  await run(at, "true");
  const waiting = start(at);
  const open = await run(at, "echo open", { profile: "open" });
  const contained = await at.sandbox.contain(requestFor(at.place, "build", "true", { terminal: true }));
  if (!contained.ok) throw new Error(contained.problem);
  await contained.value.finished();
  expect([open.waited, contained.value.waiting, (await run(at, "true")).waited]).toEqual([
    undefined,
    undefined,
    waiting,
  ]);
});

test("one that was killed while it waited is not used", async () => {
  const at = await found();
  await run(at, "true");
  process.kill(start(at), "SIGKILL");
  const { output, waited } = await run(at, "echo all the same");
  expect({ output, waited }).toEqual({ output: "all the same\n", waited: undefined });
});

test("it ends when Toolwright closes, and none is started after that", async () => {
  const at = await found();
  await run(at, "true");
  const waiting = start(at);
  at.closing.abort();
  await expect.poll(() => isGone(waiting)).toBe(true);
  expect(start(at)).toBe(Number.NaN);
});

test("it ends when Toolwright is killed", async () => {
  const at = await found();
  const script = join(import.meta.dirname, "../support/launcher-child.ts");
  const child = spawn(process.execPath, [script, at.place.workspace, at.place.stateDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said]: unknown[] = await once(child.stdout, "data");
  const waiting = Number(String(said).trim());
  expect(isGone(waiting)).toBe(false);
  child.kill("SIGKILL");
  await expect.poll(() => isGone(waiting)).toBe(true);
});
