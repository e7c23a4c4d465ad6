/** Runs git so that it only reads, unless it is told otherwise: no program of a repository, no network, no prompt. */

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import { mib } from "./bound.ts";
import type { EnvironmentVariables } from "./environment-variables.ts";
import { attempt } from "./expected.ts";
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
  input?: string | Uint8Array | undefined;
  /** Receives git's output as it arrives. */
  onBytes: (bytes: Buffer) => void;
  /** Receives what git says of its troubles. */
  onTrouble?: ((bytes: Buffer) => void) | undefined;
  /** What it may fetch over, with colons between; nothing by default. */
  protocols?: string | undefined;
  /** Milliseconds until it is stopped. */
  patienceMs?: number | undefined;
  signal?: AbortSignal | undefined;
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
/** How often it is looked at whether git gets on at all, in milliseconds. */
const lookMs = 1_000;
/** Output of one such git command, in bytes. */
const mostBytes = 512 * mib;

/**
 * Whether the program, or one that it has started, has opened a FIFO that nobody writes to: git would wait for ever where a
 * file of its own, or one like .gitignore, is one. The kernel tells; where it does not, only the time ends it.
 */
function waitsForWriter(pid: number): boolean {
  const place = `/proc/${pid}`;
  if (/wait_for_partner|fifo_open/u.test(textAt(`${place}/wchan`))) return true;
  const started = textAt(`${place}/task/${pid}/children`).split(" ").map(Number);
  return started.some((each) => each > 0 && waitsForWriter(each));
}

const waitedForWriter = "fatal: a FIFO is where git reads a file, such as .gitignore: remove it\n";

function textAt(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Whether git succeeded. Never throws: without git or a repository there is just less information. */
export function runGit(run: GitRun): Promise<boolean> {
  const { input, onBytes, onTrouble, signal } = run;
  const child = signal?.aborted ? undefined : start(run);
  if (!child) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = (): void => endWithHelpers(child, run);
  const timer = setTimeout(stop, run.patienceMs ?? patienceMs);
  const look = setInterval(() => {
    if (child.pid === undefined || !waitsForWriter(child.pid)) return;
    onTrouble?.(Buffer.from(waitedForWriter));
    stop();
  }, lookMs).unref();
  signal?.addEventListener("abort", stop, { once: true });
  let space = mostBytes;
  child.stdout?.on("data", (bytes: Buffer) => {
    space -= bytes.length;
    if (space < 0) stop();
    else onBytes(bytes);
  });
  if (onTrouble) child.stderr?.on("data", onTrouble);
  const finish = (isWell: boolean): void => {
    clearTimeout(timer);
    clearInterval(look);
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

function start(run: GitRun): ChildProcess | undefined {
  const { directory, env, input, onTrouble, protocols, arguments: words } = run;
  return attempt(() =>
    spawn("git", [...settings.flatMap((each) => ["-c", each]), ...words], {
      cwd: directory,
      env: { ...env, ...variables, ...(protocols === undefined ? {} : { GIT_ALLOW_PROTOCOL: protocols }) },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", onTrouble ? "pipe" : "ignore"],
      detached: hasHelpers(run),
      windowsHide: true,
    }),
  );
}

/** What fetches has helpers, in a session without a terminal: nobody is asked for a password there. */
const hasHelpers = ({ protocols }: GitRun): boolean =>
  protocols !== undefined && process.platform !== "win32";

function endWithHelpers(child: ChildProcess, run: GitRun): void {
  try {
    if (child.pid !== undefined && hasHelpers(run)) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // It has just ended.
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

const real = (path: string): string => attempt(() => realpathSync.native(path)) ?? path;
