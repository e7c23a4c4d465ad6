/** What happens on a Node that is too old: the checkout's own Node takes over, or one line says what to do. */

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Runs `entry` again on the Node that `npm ci` installed beside it, if that is at least `oldest`. */
export function runOnNewerNode(entry: string, argv: string[], oldest: number): void {
  const node = join(entry, "..", "..", "node_modules", ".bin", "node");
  if (!existsSync(node) || majorVersion(node) < oldest) return refuse(oldest);

  const child = spawn(node, [entry].concat(argv), { stdio: "inherit" });
  // Ctrl-C reaches the child by the terminal itself; it must only not end us first.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  child.on("error", () => refuse(oldest));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code === null ? 1 : code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** 0 when it cannot be run. */
function majorVersion(node: string): number {
  const { stdout } = spawnSync(node, ["--print", "parseInt(process.versions.node, 10)"], {
    encoding: "utf8",
  });
  return Number(stdout) || 0;
}

function refuse(oldest: number): void {
  process.stderr.write(
    "toolwright needs Node " +
      oldest +
      " or newer and this is Node " +
      process.versions.node +
      ": " +
      "in a checkout run `npm ci` and then `bin/toolwright`, elsewhere install a newer Node.\n",
  );
  process.exitCode = 1;
}
