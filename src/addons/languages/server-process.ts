/** Runs a language server's process: sandboxed if possible, and ended with all its descendants. */

import type { Readable, Writable } from "node:stream";
import { once } from "../../base/async.ts";
import { randomHex } from "../../base/crypto.ts";
import { guardProcesses } from "../../base/process-guard.ts";
import { runVariable } from "../../base/start-process.ts";
import { stripAnsi } from "../../base/terminal/plain-text.ts";
import type { ContainedCommand } from "../../tools/terminal/contained-command.ts";
import type { AddonContext } from "../part.ts";
import { startServerProgram } from "../server-program.ts";

export type ServerProcess = {
  input: Writable;
  output: Readable;
  /** Resolves once with the reason, however the process ended. */
  ended: Promise<string>;
  stop(): Promise<void>;
};

/** Rejects if it could not be started, with the reason. */
export async function startProcess(
  { command, env, onStart, finished }: ContainedCommand,
  { directory, what, started }: { directory: string; what: string; started: AddonContext["started"] },
): Promise<ServerProcess> {
  const run = randomHex(16);
  const release = guardProcesses(`${runVariable}=${run}`); // before it can start anything
  const over = async (): Promise<void> => {
    release();
    await finished();
  };
  const start = {
    command,
    cwd: directory,
    env,
    run,
    graceMs: 0,
    started(pid: number, marker: string) {
      onStart?.(pid, marker);
      return started?.({ pid, marker, what });
    },
  };
  const program = await startServerProgram(start).catch(async (error: unknown) => {
    await over().catch(() => undefined);
    throw error;
  });
  const end = async (): Promise<void> => {
    await program.stop();
    await over();
  };
  const stop = once(() => end().catch(() => undefined));
  // Ends what a crashed server leaves running.
  void program.ended.then(stop);
  const ended = program.ended.then((how) => {
    const words = lastWordsIn(program.complaints());
    return words === "" ? how : `${how}: ${words}`;
  });
  return { input: program.input, output: program.output, ended, stop };
}

/** One line of its error output: what sounds like an error, else the last. */
function lastWordsIn(errors: string): string {
  const lines = stripAnsi(errors)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(?:at |\d+: )/.test(line));
  const error = lines.find((line) => /error|cannot|not found|no such/i.test(line));
  return (error ?? lines.at(-1) ?? "").slice(0, 300);
}
