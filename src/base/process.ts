/** Runs programs so that they always end: stops whole process trees, and bounds the memory for their output. */

import type { ChildProcess } from "node:child_process";
import { mib } from "./bound.ts";
import { processSilenceAfterExitMs } from "./bounds.ts";
import { randomHex } from "./crypto.ts";
import type { EnvironmentVariables } from "./environment-variables.ts";
import { HeadAndTailBuffer, type KeptOutput } from "./kept-output.ts";
import { guardProcesses } from "./process-guard.ts";
import { stopTree } from "./process-tree.ts";
import {
  feedProcess,
  runVariable,
  startProblem,
  startProcess,
  type StartRequest,
  type WaitingProcess,
} from "./start-process.ts";

export { runVariable } from "./start-process.ts";

/** Output kept of a program that Toolwright runs for itself, in bytes. */
const mostOtherOutput = mib;

export type ProcessRequest = StartRequest & {
  signal?: AbortSignal;
  /** Stops it after this long without output. */
  idleMs?: number;
  /** Stops it after this long in any case. */
  wallMs?: number;
  /** Receives decoded output as it arrives; stdout and stderr in the order they were written. */
  onOutput?(text: string): void;
  /** Stops it after this many bytes of output. */
  maxOutput?: number;
  /** Bytes of output to retain, from its start and its end; 1 MiB by default. */
  maxKeep?: number;
  /** A program that waits, and has been fed, in place of the one that is to be started; undefined if there is none. */
  waiting?(): WaitingProcess | undefined;
  /** Ends it with all its descendants if we are killed while it runs: for what no sandbox ties to us. */
  guarded?: boolean;
  /** All that it starts stays in its process group, or ends with it: nobody looks for the rest among all processes. */
  oneGroup?: boolean;
  /**
   * Called once, right after the start, with the process id and the "NAME=value" in the environment of all descendants.
   */
  onStart?(pid: number, marker: string): void;
};

export type ProcessOutcome = {
  /** The exit code; `undefined` when a signal ended it or it never started. */
  exit?: number;
  signal?: string;
  timedOut?: "idle" | "wall";
  /** It printed more than `maxOutput`, and was stopped. */
  flooded?: true;
  cancelled: boolean;
  output: KeptOutput;
  /** Its standard error, if it was requested separately. */
  errors?: KeptOutput;
  /** Why it could not be started. */
  problem?: string;
};

/** Time for which other processes can hold the output of a command that has exited, in milliseconds. */
const openAfterExitMs = 2_000;

/**
 * Runs a program in its own session, with /dev/null as default input. Done when the program itself has ended: processes
 * left in its process group are stopped and cannot keep the output open. Never throws.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessOutcome> {
  const kept = new HeadAndTailBuffer(request.maxKeep ?? mostOtherOutput);
  if (request.signal?.aborted) return { cancelled: true, output: kept.kept() };
  const waiting = request.waiting?.();
  const run = waiting?.run ?? randomHex(16);
  const marker = `${runVariable}=${run}`;
  const release = request.guarded ? guardProcesses(marker) : undefined; // before it can start anything
  const child = waiting?.child ?? startProcess(request, run);
  if (typeof child === "string") {
    release?.();
    return { cancelled: false, output: kept.kept(), problem: child };
  }
  if (!waiting) feedProcess(child, request);
  const errors = request.keepErrors === undefined ? undefined : new HeadAndTailBuffer(request.keepErrors);
  if (child.pid !== undefined) request.onStart?.(child.pid, marker);
  const watch = watchOver(child, request, () =>
    stopTree(child.pid, request.oneGroup ? { groupOnly: true } : { marker }),
  );
  const decoder = new TextDecoder();
  const hear = (bytes: Buffer): void => {
    kept.add(bytes);
    watch.heard(bytes.length);
    request.onOutput?.(decoder.decode(bytes, { stream: true }));
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", errors ? (bytes: Buffer) => errors.add(bytes) : hear);
  const end = await waitForEnd(child);
  watch.release();
  await watch.stopped();
  await stopTree(child.pid, { groupOnly: true });
  release?.();
  return { ...end, ...watch.verdict(), output: kept.kept(), errors: errors?.kept() };
}

/**
 * The environment for programs that a model starts: all variables except the keys of model providers (`*_API_KEY`,
 * which pay for Toolwright itself, and the names in `keys`) and those that change how bash reads a command (its start
 * files, options, exported functions).
 */
export function childEnvironment(
  env: EnvironmentVariables,
  keys: readonly string[] = [],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !withheld.test(name) && !keys.includes(name)) kept[name] = value;
  }
  return kept;
}

const withheld = /_API_KEY$|^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|CDPATH|GLOBIGNORE)$|^BASH_FUNC_/i;

type StopReason = Pick<ProcessOutcome, "timedOut" | "flooded" | "cancelled">;

/** Stops the tree on abort, timeout or too much output, and records which it was. */
function watchOver(
  child: ChildProcess,
  { signal, idleMs, wallMs, maxOutput = Number.POSITIVE_INFINITY }: ProcessRequest,
  stop: () => Promise<void>,
) {
  let verdict: StopReason = { cancelled: false };
  let stopping: Promise<void> | undefined;
  const end = (why: StopReason): void => {
    if (stopping || child.exitCode !== null || child.signalCode !== null) return;
    verdict = why;
    stopping = stop();
  };
  const cancel = (): void => end({ cancelled: true });
  signal?.addEventListener("abort", cancel, { once: true });
  const timer = (ms: number | undefined, timedOut: "idle" | "wall"): NodeJS.Timeout | undefined =>
    ms === undefined ? undefined : setTimeout(() => end({ cancelled: false, timedOut }), ms);
  const idle = timer(idleMs, "idle");
  const wall = timer(wallMs, "wall");
  let total = 0;
  return {
    heard(bytes: number) {
      idle?.refresh();
      total += bytes;
      if (total <= maxOutput) return;
      end({ cancelled: false, flooded: true });
      // Nothing more is kept, so nothing more is read: it would only delay the end.
      child.stdout?.destroy();
    },
    verdict: () => verdict,
    stopped: async () => stopping,
    release: () => {
      clearTimeout(idle);
      clearTimeout(wall);
      signal?.removeEventListener("abort", cancel);
    },
  };
}

type ProcessEnd = Pick<ProcessOutcome, "exit" | "signal" | "problem">;

/** Waits until the program has ended and its output is read, but not for other holders of the pipe (A34). */
function waitForEnd(child: ChildProcess): Promise<ProcessEnd> {
  const { promise, resolve } = Promise.withResolvers<ProcessEnd>();
  child.once("error", (error) => resolve({ problem: startProblem(error) }));
  child.once("exit", (exit, signal) => {
    const end: ProcessEnd = exit === null ? { signal: signal ?? "unknown" } : { exit };
    const finish = (): void => {
      clearTimeout(silence);
      clearTimeout(most);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(end);
    };
    const silence = setTimeout(finish, processSilenceAfterExitMs);
    const most = setTimeout(finish, openAfterExitMs);
    child.stdout?.on("data", () => silence.refresh());
    child.once("close", finish);
  });
  return promise;
}
