/** Handles a Node that is too old: re-runs on the checkout's own Node, or prints one line saying what to do. */

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Re-runs `entry` on the Node that `npm ci` installed beside it, if that is at least `oldest`. */
export function runOnNewerNode(entry: string, argv: string[], oldest: number): void {
  const node = join(entry, "..", "..", "node_modules", ".bin", "node");
  if (!existsSync(node) || majorVersion(node) < oldest) return refuse(oldest);

  const child = spawn(node, [entry].concat(argv), { stdio: "inherit" });
  // The terminal delivers Ctrl-C to the child itself; it must just not end this process first.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  child.on("error", () => refuse(oldest));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code === null ? 1 : code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** 0 if it cannot be run. */
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
