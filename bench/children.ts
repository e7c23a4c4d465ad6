/** Processes that a program of this directory starts and talks to in lines, and what they cost. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

type Running = { child: ChildProcess; line: () => Promise<string> };

type How = { env?: NodeJS.ProcessEnv; profiling?: readonly string[] };

const started: ChildProcess[] = [];

/** Starts a script on this Node; `line` is its next line of output. */
export function start(
  script: string,
  words: readonly string[],
  { env = process.env, profiling = [] }: How = {},
): Running {
  const child = spawn(process.execPath, [...profiling, script, ...words], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  started.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${script} ended`);
    return value;
  };
  return { child, line };
}

/** Ends all that were started. */
export const endAll = (): Promise<unknown> => Promise.all(started.map(ended));

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill();
  await exit;
}

/** Seconds, user and system; the kernel counts in hundredths. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Megabytes. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, "mu").exec(status)?.[1]) / 1024;
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}
