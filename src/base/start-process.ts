/** Starts programs, each in a session of its own: at once, or beforehand, to wait for what they will be fed. */

import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { Writable } from "node:stream";
import { randomHex } from "./crypto.ts";
import { withheldDescriptors } from "./descriptors.ts";
import type { EnvironmentVariables } from "./environment-variables.ts";
import { errorMessage } from "./expected.ts";

/** The environment variable that identifies processes that left their tree. */
export const runVariable = "TOOLWRIGHT_RUN";

/** `run`: the value of that variable. */
export type WaitingProcess = { child: ChildProcess; run: string };

export type StartRequest = {
  /** The program and its arguments; no shell interprets them. */
  command: readonly string[];
  cwd: string;
  /** The exact environment of the program, see `childEnvironment`. */
  env: EnvironmentVariables;
  /** Its standard input; empty by default. */
  input?: Uint8Array;
  /** Inputs for its descriptors 3, 4 and so on, each closed at its end. */
  feeds?: readonly Uint8Array[];
  /** Bytes of standard error to retain separately; by default it is part of the output. */
  keepErrors?: number;
  /** The program sends its standard error into its output itself. */
  joinsErrors?: boolean;
};

/** The problem, if it could not be started. */
export function startProcess(request: StartRequest, run: string): ChildProcess | string {
  const { command, cwd, env, feeds = [], input, keepErrors, joinsErrors = false } = request;
  if (command.length === 0) return "There is no program to start.";
  const isApart = joinsErrors || keepErrors !== undefined;
  const program = isApart ? command : inOneStream(command);
  try {
    return spawnApart(program, { cwd, env, run, hasInput: input !== undefined, feeds: feeds.length });
  } catch (error) {
    return startProblem(error);
  }
}

type ApartOptions = Pick<StartRequest, "cwd" | "env"> & { run: string; hasInput: boolean; feeds?: number };

/** A session of its own gives one process group to stop, and no terminal to prompt on. Throws if none can be started. */
export function spawnApart(
  [program = "", ...parameters]: readonly string[],
  { cwd, env, run, hasInput, feeds = 0 }: ApartOptions,
): ChildProcess {
  return spawn(program, parameters, {
    cwd,
    env: { ...env, [runVariable]: run },
    stdio: [hasInput ? "pipe" : "ignore", "pipe", "pipe", ...furtherDescriptors(feeds)],
    detached: true,
    windowsHide: true,
  });
}

export const startProblem = (error: unknown): string => `It could not be started: ${errorMessage(error)}`;

/** The pipes for the feeds, and /dev/null in place of every withheld descriptor that the program would inherit. */
function furtherDescriptors(feeds: number): ("pipe" | "ignore" | number)[] {
  const { numbers, nothing } = withheldDescriptors();
  const highest = Math.max(2 + feeds, ...numbers);
  return Array.from({ length: highest - 2 }, (_, at) => {
    if (at < feeds) return "pipe";
    return numbers.includes(at + 3) ? nothing : "ignore";
  });
}

/** Two pipes would lose the order of stdout and stderr; `exec` avoids an extra process. */
function inOneStream(command: readonly string[]): readonly string[] {
  if (process.platform === "win32" || command.length === 0) return command;
  return ["/bin/sh", "-c", 'exec "$@" 2>&1', "sh", ...command];
}

/** A program that ends without reading breaks the pipe: its exit code is more informative than that error. */
export function feedProcess(
  child: ChildProcess,
  { input, feeds = [] }: Pick<StartRequest, "input" | "feeds">,
): void {
  if (child.pid === undefined) return; // not started, so it may have no streams
  for (const [descriptor, bytes] of [input, undefined, undefined, ...feeds].entries()) {
    const stream = child.stdio[descriptor];
    if (bytes === undefined || !(stream instanceof Writable)) continue;
    stream.on("error", () => {});
    stream.end(bytes, () => stream.destroy());
  }
}

/** Waits for `feeds` feeds, and keeps nobody else waiting; undefined if it cannot be started. */
export function startWaiting(
  request: Pick<StartRequest, "command" | "env">,
  feeds: number,
): WaitingProcess | undefined {
  const run = randomHex(16);
  const nothing = Array.from({ length: feeds }, () => new Uint8Array());
  const child = startProcess({ ...request, cwd: "/", feeds: nothing, joinsErrors: true }, run);
  if (typeof child === "string") return undefined;
  child.on("error", () => {});
  child.unref();
  for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
  return child.pid === undefined ? undefined : { child, run };
}

export const isWaiting = ({ child }: WaitingProcess): boolean =>
  child.exitCode === null && child.signalCode === null;

/** It runs from then on, and is waited for. */
export function feedWaiting(waiting: WaitingProcess, feeds: readonly Uint8Array[]): WaitingProcess {
  const { child } = waiting;
  child.ref();
  for (const stream of child.stdio) if (stream instanceof Socket) stream.ref();
  feedProcess(child, { feeds });
  return waiting;
}
