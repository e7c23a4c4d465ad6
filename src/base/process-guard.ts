/**
 * Kills child processes when this process is killed and cannot do so itself: a small shell beside it watches for that.
 */

import { spawn } from "node:child_process";
import { procIsOurs } from "./process-identity.ts";

/**
 * Waits for the end of its input, which closes when this process ends for any reason, then gives programs a second to
 * hang up by themselves. Kills every process whose environment has a variable that begins with the given text.
 */
const script = `
read -r _
sleep 1
for place in /proc/[0-9]*; do
  tr '\\0' '\\n' <"$place/environ" | grep -q "^$1" && kill -KILL "\${place#/proc/}"
done 2>/dev/null`;

/**
 * Guards processes until the returned function is called. `marker` is the beginning of "NAME=value". Without /proc it
 * does nothing.
 */
export function guardProcesses(marker: string): () => void {
  if (process.platform !== "linux" || !procIsOurs()) return () => {};
  const child = spawn("/bin/sh", ["-c", script, "sh", marker], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: "/usr/bin:/bin" },
    cwd: "/",
    detached: true,
  });
  // If the guard cannot start, the program works without it.
  child.once("error", () => {});
  child.stdin.once("error", () => {});
  child.unref();
  return () => void child.kill("SIGKILL");
}
