/** Runs scripts in a real bash, in which nothing real can be harmed, and tells which programs they ran. */

import { type ChildProcess, spawn } from "node:child_process";
import {
  accessSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** The words of a program that ran, its name first. */
export type Executed = readonly string[];

/** What a script ran, or undefined when it did not come to its end in time. */
export type Outcome = readonly Executed[] | undefined;

/** Programs that only tell that they were run. */
const stubs = ["rm", "ls", "mv", "git", "npm"];
/** Programs that are what they are: they do no harm, or run others. */
const real = [
  "bash",
  "sh",
  "cat",
  "env",
  "xargs",
  "timeout",
  "nice",
  "nohup",
  "tr",
  "sort",
  "find",
  "true",
  "seq",
  "rev",
  "setsid",
  "stdbuf",
];

const mark = "\u001F";
/** No script needs as many milliseconds, whatever else the machine does. */
const patience = 1_500;

/** Runs each script by itself, one after another in one process; it begins anew behind one that hangs. */
export async function runInBash(scripts: readonly string[]): Promise<Outcome[]> {
  const root = mkdtempSync(join(tmpdir(), "toolwright-bash-"));
  try {
    prepare(root);
    for (let first = 0; first < scripts.length; first = 1 + Math.max(first, numberIn(join(root, "now")))) {
      writeFileSync(
        join(root, "scripts"),
        scripts
          .slice(first)
          .map((script) => `${script}\0`)
          .join(""),
      );
      await run(root, first);
    }
    return outcomes(root, scripts.length);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

const numberIn = (path: string): number => Number(readFileSync(path, "utf8"));

/** Each script in a shell of its own: what it leaves behind, the next one does not see. */
const driver = `
cd "$1" || exit 1
shopt -s nullglob dotglob
number=$2
while IFS= read -r -d '' script; do
  printf '%s' "$number" >now
  left=(work/*); [ \${#left[@]} -eq 0 ] || "$REMOVE" -rf work/*
  ( cd work; shopt -u nullglob dotglob; export FUZZ=$number; ulimit -t 2; FUNCNEST=20
    PATH=$PROGRAMS; unset OLDPWD number left; set --; eval "$script" ) </dev/null >/dev/null 2>&1
  wait
  printf '%s\\0' "$number" >>done
  number=$((number + 1))
done <scripts
`;

function prepare(root: string): void {
  const programs = join(root, "programs");
  mkdirSync(programs);
  mkdirSync(join(root, "work"));
  for (const name of stubs) {
    const text = `#!/bin/sh\nIFS='${mark}'\nprintf '%s\\0' "\${FUZZ}${mark}${name}\${1+${mark}}$*" >>'${root}/log'\n`;
    writeFileSync(join(programs, name), text);
    chmodSync(join(programs, name), 0o755);
  }
  for (const name of real) {
    const found = inPath(name);
    if (found !== undefined) symlinkSync(found, join(programs, name));
  }
  writeFileSync(join(root, "log"), "");
  writeFileSync(join(root, "now"), "");
  writeFileSync(join(root, "done"), "");
}

function inPath(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => isThere(path));
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** As the judgement takes it to be; nothing is there. */
const home = "/home/dev";

async function run(root: string, first: number): Promise<void> {
  const shell = ["bash", "--noprofile", "--norc", "-c", driver, "bash", root, String(first)];
  const box = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/tmp",
    "--bind",
    root,
    root,
  ];
  const bwrap = inPath("bwrap");
  const [program = "bash", ...rest] = bwrap
    ? [bwrap, ...box, "--unshare-all", "--die-with-parent", "--new-session", ...shell]
    : shell;
  const env = {
    PATH: process.env["PATH"],
    PROGRAMS: join(root, "programs"),
    HOME: home,
    LC_ALL: "C.UTF-8",
    REMOVE: inPath("rm"),
  };
  const child = spawn(program, rest, { env, stdio: "ignore", detached: true });
  const watch = watchOver(child, join(root, "now"));
  await new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
  clearInterval(watch);
}

/** Ends a process that is at the same script for too long. */
function watchOver({ pid }: ChildProcess, now: string): NodeJS.Timeout {
  let before = "";
  return setInterval(() => {
    const current = readFileSync(now, "utf8");
    if (current === before && pid !== undefined) process.kill(-pid, "SIGKILL");
    before = current;
  }, patience);
}

function outcomes(root: string, count: number): Outcome[] {
  const done = new Set(entries(join(root, "done")));
  const ran: Executed[][] = Array.from({ length: count }, () => []);
  for (const entry of entries(join(root, "log"))) {
    const [number, name, ...words] = entry.split(mark);
    // Without a number it ran in an environment that the script had emptied.
    if (name !== undefined && number !== "") ran[Number(number)]?.push([name, ...words]);
  }
  return ran.map((executed, at) => (done.has(String(at)) ? executed : undefined));
}

const entries = (path: string): string[] => readFileSync(path, "utf8").split("\0").slice(0, -1);
