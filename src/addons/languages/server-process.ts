/** Runs a language server's process: sandboxed if possible, and ended with all its descendants. */

import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { kib } from "../../base/bound.ts";
import { randomHex } from "../../base/crypto.ts";
import { errorMessage } from "../../base/expected.ts";
import { guardProcesses } from "../../base/process-guard.ts";
import { stopTree } from "../../base/process-tree.ts";
import { runVariable, spawnApart } from "../../base/start-process.ts";
import { stripAnsi } from "../../base/terminal/plain-text.ts";
import type { ContainedCommand } from "../../tools/terminal/contained-command.ts";
import type { AddonContext } from "../part.ts";

/** End of a language server's standard error that is kept, in bytes. */
const mostLastWords = 4 * kib;

export type ServerProcess = {
  input: Writable;
  output: Readable;
  /** Resolves once with the reason, however the process ended. */
  ended: Promise<string>;
  stop(): Promise<void>;
};

/** Never throws: a failed start counts as ended. */
export function startProcess(
  contained: ContainedCommand,
  { directory, what, started }: { directory: string; what: string; started: AddonContext["started"] },
): ServerProcess {
  const run = randomHex(16);
  const marker = `${runVariable}=${run}`;
  const release = guardProcesses(marker); // before it can start anything
  const child = spawnServer(contained, directory, run);
  const { stdin, stdout, stderr } = typeof child === "string" ? {} : child;
  if (typeof child === "string" || !stdin || !stdout || !stderr) {
    release();
    return neverStarted(typeof child === "string" ? child : "no more files can be opened", contained);
  }
  const { pid } = child;
  if (pid !== undefined) contained.onStart?.(pid, marker);
  const forget = pid === undefined ? undefined : started?.({ pid, marker, what });
  stdin.on("error", () => {}); // the exit explains it
  const words = lastWordsOf(stderr);
  const { promise, resolve } = Promise.withResolvers<string>();
  child.once("error", (error) => resolve(`it could not be started: ${error.message}`));
  child.once("exit", (code, signal) => {
    // The last error output may still be in transit.
    setImmediate(() => resolve(endOf(code, signal, words())));
  });
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stdin.destroy();
    stdout.destroy();
    await stopTree(child.pid, { marker });
    release();
    await contained.finished();
    forget?.();
  };
  const stopOnce = (): Promise<void> => (stopping ??= stop().catch(() => undefined));
  // Ends what a crashed server leaves running.
  void promise.then(stopOnce);
  return { input: stdin, output: stdout, ended: promise, stop: stopOnce };
}

function spawnServer({ command, env }: ContainedCommand, cwd: string, run: string): ChildProcess | string {
  try {
    return spawnApart(command, { cwd, env, run, hasInput: true });
  } catch (error) {
    return errorMessage(error);
  }
}

function neverStarted(because: string, contained: ContainedCommand): ServerProcess {
  const { Readable: Input, Writable: Output } = process.getBuiltinModule("node:stream");
  void contained.finished().catch(() => undefined);
  return {
    input: new Output({ write: (_chunk, _encoding, done) => done() }),
    output: Input.from([]),
    ended: Promise.resolve(`it could not be started: ${because}`),
    stop: () => Promise.resolve(),
  };
}

/** The end of its error output, as one line. */
function lastWordsOf(errors: Readable): () => string {
  let kept = "";
  errors.setEncoding("utf8");
  errors.on("data", (text: string) => {
    kept = (kept + text).slice(-mostLastWords);
  });
  errors.on("error", () => {});
  return () => {
    const lines = stripAnsi(kept)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "" && !/^(?:at |\d+: )/.test(line));
    return (lines.find((line) => /error|cannot|not found|no such/i.test(line)) ?? lines.at(-1) ?? "").slice(
      0,
      300,
    );
  };
}

function endOf(code: number | null, signal: string | null, words: string): string {
  const how = code === null ? `it was ended by ${signal ?? "a signal"}` : `it ended with code ${code}`;
  return words === "" ? how : `${how}: ${words}`;
}
