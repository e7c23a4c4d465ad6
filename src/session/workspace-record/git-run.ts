/** Git, run so that it only reads: no program that a repository names, no network, no question, no lock. */

import { type ChildProcess, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import { bounds } from "../../base/bounds.ts";
import { isWithin } from "../../base/paths.ts";

export type GitRun = {
  /** Absolute; git works as if it were started there. */
  directory: string;
  /** See `plainEnvironment`. */
  env: Readonly<Record<string, string | undefined>>;
  arguments: readonly string[];
  input?: string;
  /** What git writes, as it comes. */
  onBytes: (bytes: Buffer) => void;
  signal?: AbortSignal;
};

/**
 * The hardened form. A partial clone fetches what it lacks by programs that its configuration names:
 * only the variable forbids every protocol whatever that says. Replacements would pass one object for another.
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
const patienceMs = bounds.undo.gitTime.most;
const mostBytes = bounds.undo.gitOutput.most;

/** Whether it ended well. Never throws: where there is no git or no repository, there is only less to know. */
export function runGit(run: GitRun): Promise<boolean> {
  const { input, onBytes, signal } = run;
  const child = signal?.aborted ? undefined : start(run);
  if (!child) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = (): void => void child.kill("SIGKILL");
  const timer = setTimeout(stop, patienceMs);
  signal?.addEventListener("abort", stop, { once: true });
  let room = mostBytes;
  child.stdout?.on("data", (bytes: Buffer) => {
    room -= bytes.length;
    if (room < 0) stop();
    else onBytes(bytes);
  });
  const finish = (isWell: boolean): void => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    resolve(isWell);
  };
  child.once("error", () => finish(false));
  child.once("close", (exit) => finish(exit === 0));
  // It may end without reading; its exit tells more than the broken pipe.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  return promise;
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

/** Git takes orders from many variables; and a program named git in the workspace is not git. */
export function plainEnvironment(
  env: Readonly<Record<string, string | undefined>>,
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

const placesOutside = (path: string, workspace: string): string =>
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
