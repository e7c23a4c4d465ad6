/** Faults (SAFETY.md, section 6). Each takes effect immediately, in the process that calls it. */

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

type FaultRoom = {
  database: string;
  /** Moves the clock ahead by this much. */
  jump: (ms: number) => void;
  /** Cuts all connections to the model. */
  cut: () => void;
  /** Makes the next requests to the model fail in this way. */
  refuse: (how: "500" | "stall") => void;
};

export const faults = {
  "kill -9": () => process.kill(process.pid, "SIGKILL"),
  SIGTERM: () => process.kill(process.pid, "SIGTERM"),
  SIGSTOP: () => stop(Number(process.env["TOOLWRIGHT_STOP_SECONDS"] ?? 0.3)),
  "parent death": () => process.kill(process.ppid, "SIGKILL"),
  "disk full": ({ database }) => fillDisk(dirname(database)),
  "input/output error": () => limit("fsize", 0),
  "no more descriptors": () => limit("nofile", readdirSync("/proc/self/fd").length - 1),
  "clock back": ({ jump }) => jump(-86_400_000),
  "clock ahead": ({ jump }) => jump(86_400_000),
  "database locked": ({ database }) => lock(database, 300),
  "database locked for long": ({ database }) => lock(database, 1500),
  "network cut": ({ cut }) => cut(),
  "provider fails": ({ refuse }) => refuse("500"),
  "provider stalls": ({ refuse }) => refuse("stall"),
  "terminal closed": () => process.kill(process.pid, "SIGHUP"),
} as const satisfies Record<string, (context: FaultRoom) => void>;

export type FaultName = keyof typeof faults;

function stop(seconds: number): void {
  const wake = `sleep ${seconds}; kill -CONT ${process.pid}`;
  spawn("/bin/sh", ["-c", wake], { stdio: "ignore", detached: true }).unref();
  process.kill(process.pid, "SIGSTOP");
}

/** Needs a small disk of its own. */
function fillDisk(directory: string): void {
  for (const size of [65_536, 4096, 512])
    for (let at = 0; ; at += 1) {
      try {
        writeFileSync(join(directory, `fill-${size}-${at}`), new Uint8Array(size));
      } catch {
        break;
      }
    }
}

/** Lowers a limit with `prlimit` from outside, so that the system refuses as if the disk or the table were broken. */
function limit(resource: "fsize" | "nofile", most: number): void {
  const { status } = spawnSync("prlimit", ["--pid", String(process.pid), `--${resource}=${most}:`]);
  if (status !== 0) throw new Error(`prlimit ended with ${status}.`);
}

/** Another program locks the database, for this long from now on. */
function lock(database: string, ms: number): void {
  const told = `${database}-locked`;
  const script = `
    const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(process.argv[1], { timeout: 5000 });
    database.exec("BEGIN IMMEDIATE");
    require("node:fs").writeFileSync(process.argv[2], "");
    setTimeout(() => database.close(), ${ms});`;
  spawn(process.execPath, ["-e", script, database, told], { stdio: "ignore", detached: true }).unref();
  const until = Date.now() + 10_000;
  while (!existsSync(told) && Date.now() < until) pause(5);
}

/** Sleeps and blocks everything else. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
