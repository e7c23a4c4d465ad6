/** Runs the program of a server that is spoken to over its standard streams, and ends it with all its descendants. */

import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { inTime, once } from "../base/async.ts";
import { kib } from "../base/bound.ts";
import { processSilenceAfterExitMs } from "../base/bounds.ts";
import type { EnvironmentVariables } from "../base/environment-variables.ts";
import { stopTree } from "../base/process-tree.ts";
import { runVariable, spawnApart } from "../base/start-process.ts";
import { whyMissing } from "./missing-program.ts";

type ServerStart = {
  command: readonly string[];
  cwd: string;
  env: EnvironmentVariables;
  /** Marks all its descendants, in their environment. */
  run: string;
  /** How long it may take to end by itself once its input is closed. */
  graceMs: number;
  /** Records it; the returned function is called when none of its processes runs any more. */
  started: (pid: number, marker: string) => (() => void) | undefined;
};

export type ServerProgram = {
  input: Writable;
  output: Readable;
  /** Resolves once with the reason, however it ended. */
  ended: Promise<string>;
  /** The end of its standard error, and of what was added. */
  complaints(): string;
  complain(words: string): void;
  /** Closes its input, then terminates and finally kills all its processes. */
  stop(): Promise<void>;
};

/** Standard error kept of a tool server or language server, in bytes. */
const mostComplaints = 16 * kib;

/** Rejects if it could not be started, with the reason. */
export async function startServerProgram(start: ServerStart): Promise<ServerProgram> {
  const { command, cwd, env, run, graceMs, started } = start;
  const marker = `${runVariable}=${run}`;
  const child = spawnApart(command, { cwd, env, run, hasInput: true });
  const ended = endOf(child, start);
  const { stdin, stdout, stderr, pid } = child;
  if (pid === undefined || !stdin || !stdout || !stderr) throw new Error(await ended);
  const forget = started(pid, marker);
  let kept = "";
  const complain = (words: string): void => void (kept = (kept + words).slice(-mostComplaints));
  // Its exit explains what is wrong with its streams.
  for (const stream of [stdin, stdout, stderr]) stream.on("error", () => {});
  stderr.on("data", (bytes: Buffer) => complain(bytes.subarray(-mostComplaints).toString("utf8")));
  const stop = async (): Promise<void> => {
    stdin.end();
    if (graceMs > 0) await inTime(ended, { ms: graceMs });
    stdout.destroy();
    stderr.destroy();
    await stopTree(pid, { marker });
    await ended;
    forget?.();
  };
  return {
    input: stdin,
    output: stdout,
    ended,
    complaints: () => kept,
    complain,
    stop: once(stop),
  };
}

/** Remaining output is read before it counts as ended; the time limit covers descendants that keep the pipe open. */
function endOf(child: ChildProcess, start: ServerStart): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  child.once("error", (error) => resolve(whyNotStarted(error, start)));
  child.once("exit", (code, signal) => {
    const how = code === null ? `it was ended by ${signal ?? "a signal"}` : `it ended with exit code ${code}`;
    const late = setTimeout(() => resolve(how), processSilenceAfterExitMs);
    child.once("close", () => {
      clearTimeout(late);
      resolve(how);
    });
  });
  return promise;
}

async function whyNotStarted(
  { message }: Error,
  { command: [program = ""], cwd, env }: ServerStart,
): Promise<string> {
  return `it could not be started: ${(await whyMissing(program, { directory: cwd, env })) ?? message}`;
}
