/** Runs a program under strace, to list its system calls and to kill it at any one of them. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Calls that change, open or write files, under all their names. */
const changing =
  "/^(open(at2?)?|p?write(64|v)?|f(data)?sync|rename(at2?)?|unlink(at)?|rmdir|link(at)?|symlink(at)?|mkdir(at)?|f?chmod(at2?)?|f?chown(at)?)$";

/** The `count`-th call of this name in one thread. */
export type Moment = { name: string; count: number };

/** Every moment after the program looked up `marker`, a path that does not exist. */
export async function momentsAfter(
  marker: string,
  command: readonly string[],
  log: string,
): Promise<Moment[]> {
  await strace(["-o", log, "-e", `trace=${changing},/^(l?stat(64)?|statx|newfstatat)$`], command);
  const counts = new Map<string, Map<string, number>>();
  const moments = new Map<string, Moment>();
  let begun = false;
  for (const line of (await readFile(log, "utf8")).split("\n")) {
    const [, thread = "", name = ""] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    if (line.includes(marker)) begun = true;
    if (name === "" || /stat/.test(name)) continue;
    const ofThread = counts.get(thread) ?? new Map<string, number>();
    counts.set(thread, ofThread);
    const count = (ofThread.get(name) ?? 0) + 1;
    ofThread.set(name, count);
    if (begun) moments.set(`${name} ${count}`, { name, count });
  }
  return [...moments.values()];
}

/** Kills the program as it enters this call; returns whether that happened, and after the marker. */
export async function killAt(
  { name, count }: Moment,
  { marker, command, log }: { marker: string; command: readonly string[]; log: string },
): Promise<{ killed: boolean; begun: boolean }> {
  const inject = ["-e", `inject=${name}:signal=KILL:when=${count}`];
  const trace = ["-e", `trace=${name},/^(l?stat(64)?|statx|newfstatat)$`];
  const killed = await strace(["-o", log, ...trace, ...inject], command).then(
    () => false,
    (error: { signal?: string }) => {
      if (error.signal === "SIGKILL") return true;
      throw error;
    },
  );
  return { killed, begun: (await readFile(log, "utf8")).includes(marker) };
}

const strace = (options: readonly string[], command: readonly string[]): Promise<unknown> =>
  promisify(execFile)("strace", ["-f", "-qq", ...options, ...command]);
