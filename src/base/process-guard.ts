/** Ends what this process has started and cannot end any more: when it is killed, a small shell beside it does that. */

import { spawn } from "node:child_process";
import { procIsOurs } from "./process-identity.ts";

/**
 * It waits for the end of its input, which comes with the end of this process however that ends. What hangs up by
 * itself gets a moment for it. Those are killed that have the variable, beginning with the given text.
 */
const script = `
read -r _
sleep 1
for place in /proc/[0-9]*; do
  tr '\\0' '\\n' <"$place/environ" | grep -q "^$1" && kill -KILL "\${place#/proc/}"
done 2>/dev/null`;

/**
 * `marker`: the beginning of "NAME=value". Until what it returns is called; where there is no /proc nothing is guarded.
 */
export function guardProcesses(marker: string): () => void {
  if (process.platform !== "linux" || !procIsOurs()) return () => {};
  const child = spawn("/bin/sh", ["-c", script, "sh", marker], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: "/usr/bin:/bin" },
    cwd: "/",
    detached: true,
  });
  // Without a guard everything is as usual.
  child.once("error", () => {});
  child.stdin.once("error", () => {});
  child.unref();
  return () => void child.kill("SIGKILL");
}
