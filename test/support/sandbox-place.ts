/** A home, a workspace and a state directory for one user, and contained commands run there as that user. */

import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "rolldown";
import { removeTree } from "../../src/base/safe-fs/remove-tree.ts";
import type { Profile } from "../../src/protocol/fact-words.ts";
import type { ContainRequest } from "../../src/safety/sandbox/sandbox.ts";
import type { RunOutcome, RunRequest } from "./sandbox-runner.ts";

export type Person = { name: "root" | "nobody" | "ourselves"; uid: number };

/** Run as root, the tests use both root and an ordinary user; otherwise only the current user. */
export const people: readonly Person[] =
  process.getuid?.() === 0
    ? [
        { name: "root", uid: 0 },
        { name: "nobody", uid: 65_534 },
      ]
    : [{ name: "ourselves", uid: process.getuid?.() ?? 0 }];

export type Place = {
  person: Person;
  home: string;
  workspace: string;
  stateDir: string;
  /** A directory of the same user that the sandbox has no reason to expose. */
  outside: string;
};

/** The runners and their files, readable by every user. */
export type Tools = { node: string; runner: string; killRunner: string; directory: string };

export async function makeTools(): Promise<Tools> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-sandbox-tools-")));
  chmodSync(directory, 0o755);
  const node = join(directory, "node");
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  const runner = await bundled("sandbox-runner", directory);
  return { node, runner, killRunner: await bundled("kill-runner", directory), directory };
}

async function bundled(name: string, directory: string): Promise<string> {
  const file = join(directory, `${name}.mjs`);
  await build({
    input: join(import.meta.dirname, `${name}.ts`),
    platform: "node",
    logLevel: "silent",
    external: ["@lydell/node-pty"],
    output: { file, format: "esm", codeSplitting: false },
  });
  chmodSync(file, 0o644);
  return file;
}

export function removeTools({ directory }: Tools): void {
  rmSync(directory, { recursive: true, force: true });
}

const identity = { name: "A Person", email: "person@example.com" };

export function makePlace(person: Person): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-sandbox-")));
  chmodSync(root, 0o755);
  const [home, workspace, stateDir, outside] = [
    "home",
    "home/project",
    "home/.local/state/toolwright",
    "outside",
  ].map((name) => join(root, name));
  if (!home || !workspace || !stateDir || !outside) throw new Error("no place");
  for (const path of [workspace, stateDir, outside]) mkdirSync(path, { recursive: true });
  write(home, ".gitconfig", `[user]\n\tname = ${identity.name}\n\temail = ${identity.email}\n`);
  write(workspace, "a.txt", "first\n");
  gitOnHost({ home, workspace }, "init", "--quiet", "--initial-branch=main");
  gitOnHost({ home, workspace }, "add", ".");
  gitOnHost({ home, workspace }, "commit", "--quiet", "--message=first");
  const place = { person, home, workspace, stateDir, outside };
  own(root, person);
  return place;
}

/** Runs git outside the sandbox as the current user, although the files may belong to another. */
export function gitOnHost({ home, workspace }: Pick<Place, "home" | "workspace">, ...words: string[]): void {
  const trusting = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" };
  execFileSync("git", words, { cwd: workspace, env: { ...plainEnv(home), ...trusting } });
}

export function removePlace({ home }: Place): void {
  removeTree(dirname(home));
}

export const plainEnv = (home: string): Record<string, string> => ({
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: home,
  LANG: "C.UTF-8",
});

/** Writes a file and creates its directories. */
export function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/**
 * Makes the person own everything below a path, without following links. Needed only when root runs the tests for
 * another user.
 */
export function own(path: string, { uid }: Person): void {
  if (process.getuid?.() === 0 && uid !== 0)
    execFileSync("chown", ["--no-dereference", "--recursive", `${uid}:${uid}`, path]);
}

export function requestFor(
  { home, workspace, stateDir }: Place,
  profile: Profile,
  line: string,
  more: Partial<ContainRequest> = {},
): ContainRequest {
  return {
    profile,
    command: ["/bin/bash", "--noprofile", "--norc", "-c", line],
    directory: workspace,
    workspace,
    stateDir,
    home,
    env: plainEnv(home),
    ...more,
  };
}

/** Starts the process that contains the commands, as the person's user. */
export function startRunner(tools: Tools, person: Person) {
  const changes = process.getuid?.() === 0 && person.uid !== 0;
  const asPerson = changes
    ? ["setpriv", `--reuid=${person.uid}`, `--regid=${person.uid}`, "--clear-groups", "--"]
    : [];
  const [program, ...words] = [...asPerson, tools.node, tools.runner];
  return spawn(program, words, {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: "/",
    env: plainEnv("/nonexistent"),
  });
}

export async function runAs(tools: Tools, person: Person, request: RunRequest): Promise<RunOutcome[]> {
  const child = startRunner(tools, person);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end(JSON.stringify(request));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`the runner ended with code ${String(code)}`);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** Runs one command and returns its outcome. */
export async function runOne(
  tools: Tools,
  place: Place,
  request: ContainRequest,
  more: Omit<RunRequest, "requests"> = {},
): Promise<RunOutcome> {
  const [outcome] = await runAs(tools, place.person, { requests: [request], ...more });
  if (outcome === undefined) throw new Error("no outcome");
  return outcome;
}

/** What commands have left in the state directory: the covers are the process's, for all of its commands. */
export function leftIn({ stateDir }: Place): string[] {
  const runs = join(stateDir, "sandbox/runs");
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .flatMap((name) => readdirSync(join(runs, name)))
    .filter((name) => !name.startsWith("covers-"));
}

export const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Runs `work` in a new place that is removed afterwards. */
export async function inPlace(person: Person, work: (place: Place) => Promise<void>): Promise<void> {
  const place = makePlace(person);
  try {
    await work(place);
  } finally {
    removePlace(place);
  }
}
