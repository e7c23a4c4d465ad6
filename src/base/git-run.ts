/** Runs git so that it only reads: no program named by a repository, no network, no prompt, no lock. */

import { type ChildProcess, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import { mib } from "./bound.ts";
import type { EnvironmentVariables } from "./environment-variables.ts";
import { isWithin } from "./paths.ts";

export type GitPlace = {
  /** Absolute and real. */
  workspace: string;
  /** The environment of programs that the session starts; variables that control git are removed. */
  env: EnvironmentVariables;
};

export type GitRun = {
  /** Absolute; git runs as if started there. */
  directory: string;
  /** See `plainEnvironment`. */
  env: EnvironmentVariables;
  arguments: readonly string[];
  input?: string;
  /** Receives git's output as it arrives. */
  onBytes: (bytes: Buffer) => void;
  signal?: AbortSignal;
};

/**
 * Hardened settings. A partial clone fetches missing objects with programs that its configuration names: only the
 * environment variable forbids every protocol regardless of configuration. Replace refs would substitute one object for
 * another.
 */
const settings = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.bareRepository=explicit"];
const variables = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};
/** One git command that Toolwright runs to learn about files, in milliseconds. */
const patienceMs = 20_000;
/** Output of one such git command, in bytes. */
const mostBytes = 512 * mib;

/** Whether git succeeded. Never throws: without git or a repository there is just less information. */
export function runGit(run: GitRun): Promise<boolean> {
  const { input, onBytes, signal } = run;
  const child = signal?.aborted ? undefined : start(run);
  if (!child) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = (): void => void child.kill("SIGKILL");
  const timer = setTimeout(stop, patienceMs);
  signal?.addEventListener("abort", stop, { once: true });
  let space = mostBytes;
  child.stdout?.on("data", (bytes: Buffer) => {
    space -= bytes.length;
    if (space < 0) stop();
    else onBytes(bytes);
  });
  const finish = (isWell: boolean): void => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    resolve(isWell);
  };
  child.once("error", () => finish(false));
  child.once("close", (exit) => finish(exit === 0));
  // Git may exit without reading its input; its exit code says more than the broken pipe.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  return promise;
}

/** What git prints; undefined if it failed. */
export async function textOfGit(run: Omit<GitRun, "onBytes">): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  const isWell = await runGit({ ...run, onBytes: (bytes) => void pieces.push(bytes) });
  return isWell ? Buffer.concat(pieces).toString() : undefined;
}

function start({ directory, env, input, arguments: words }: GitRun): ChildProcess | undefined {
  try {
    return spawn("git", [...settings.flatMap((each) => ["-c", each]), ...words], {
      cwd: directory,
      env: { ...env, ...variables },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
      windowsHide: true,
    });
  } catch {
    return undefined;
  }
}

/** Many variables control git; and a program named git inside the workspace must not be used. */
export function plainEnvironment(
  env: EnvironmentVariables,
  workspace: string,
): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith("GIT_"));
  return Object.fromEntries(
    kept.map(([name, value = ""]) => [
      name,
      name.toUpperCase() === "PATH" ? placesOutside(value, workspace) : value,
    ]),
  );
}

/** Of the directories in which programs are looked for, those that are outside of the workspace. */
export const placesOutside = (path: string, workspace: string): string =>
  path
    .split(delimiter)
    .filter((place) => isAbsolute(place) && !isWithin(workspace, real(place)))
    .join(delimiter);

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
