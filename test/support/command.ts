/** For end-to-end tests: the built command as a real process, in its own home without any configuration. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { removeTree } from "../../src/base/safe-fs/remove-tree.ts";
import { databaseAt } from "../../src/session/testing/store-at.ts";

export const commandFile = join(import.meta.dirname, "..", "..", "dist", "bin.cjs");

export type Home = {
  /** Contains everything that the command may write: settings, state, caches, temporary files, the workspace. */
  root: string;
  workspace: string;
  stateDir: string;
  temporary: string;
  /** The command's complete environment, without any key or server of the machine running the tests. */
  env: Record<string, string>;
};

/** Creates a home for one test, removed after it. */
export async function newHome(files: Record<string, string> = {}): Promise<Home> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-home-")));
  // An ordinary user has to open directories before they can be emptied.
  onTestFinished(() => rm(root, { recursive: true, force: true }).catch(() => removeTree(root)));
  const workspace = join(root, "workspace");
  const temporary = join(root, "tmp");
  await Promise.all([workspace, temporary].map((path) => mkdir(path)));
  const stateDir = join(root, "state", "toolwright");
  const database = await databaseAt(join(stateDir, "sessions.db"));
  await put(workspace, files);
  const env = emptyEnvironment(root, temporary);
  if (database !== undefined) env["TOOLWRIGHT_DATABASE"] = database;
  return { root, workspace, temporary, stateDir, env };
}

/** Writes files; keys are paths below the directory. */
export async function put(directory: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
}

/** Below an empty home; points every search for a local model server at a port where nothing listens. */
export function emptyEnvironment(root: string, temporary: string): Record<string, string> {
  const nothing = "http://127.0.0.1:1";
  return {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: root,
    XDG_STATE_HOME: join(root, "state"),
    XDG_CONFIG_HOME: join(root, "config"),
    XDG_CACHE_HOME: join(root, "cache"),
    TMPDIR: temporary,
    OLLAMA_HOST: nothing,
    LMSTUDIO_BASE_URL: nothing,
    LLAMACPP_BASE_URL: nothing,
    VLLM_BASE_URL: nothing,
    SGLANG_BASE_URL: nothing,
  };
}

/** All that a successful `-p` without calls writes to standard error: its last line. */
export const onlySummary = /^(?:[^\n]* · )?session [\w-]+ · exit 0\n$/u;

export type Ended = { code: number | null; stdout: string; stderr: string };

type StartOptions = {
  /** Piped to standard input, which is not attached otherwise. */
  input?: string | Uint8Array;
  env?: Record<string, string>;
  cwd?: string;
  /** A program that runs the command, such as a shell with a script; the command line is appended to it. */
  through?: readonly string[];
};

type Running = {
  child: ChildProcess;
  /** Resolves when standard output contains `text`; rejects if the command ends first. */
  until(text: string): Promise<void>;
  ended: Promise<Ended>;
};

/** Starts the command; kills it at the end of the test if it still runs. */
export function startCommand(home: Home, args: readonly string[], options: StartOptions = {}): Running {
  const [program = "", ...rest] = [...(options.through ?? []), process.execPath, commandFile, ...args];
  const child = spawn(program, rest, {
    cwd: options.cwd ?? home.workspace,
    env: { ...home.env, ...options.env },
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin?.on("error", () => undefined); // it may exit before reading everything
  child.stdin?.end(options.input);
  return watch(child);
}

export const runCommand = (home: Home, args: readonly string[], options?: StartOptions): Promise<Ended> =>
  startCommand(home, args, options).ended;

function watch(child: ChildProcess): Running {
  const heard = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  const listen = (name: "stdout" | "stderr"): void => {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      heard[name] += text;
      for (const check of waiting) check();
    });
  };
  listen("stdout");
  listen("stderr");
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...heard }));
  });
  const until = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (heard.stdout.includes(text)) resolve();
      };
      waiting.add(check);
      check();
      ended.then(
        () => reject(new Error(`It ended without saying ${text}:\n${heard.stdout}\n${heard.stderr}`)),
        reject,
      );
    });
  return { child, until, ended };
}

/** Every file below a directory with its bytes as text, to search for text that must not be there. */
export async function allBytesBelow(directory: string): Promise<{ path: string; text: string }[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, "latin1") })));
}
