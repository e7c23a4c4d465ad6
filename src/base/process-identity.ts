/** Which process it is, beyond its number: numbers are used again, in other containers and after the next start too. */

import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * `started`: in ticks since the system's start; `boot`: which start of the system; `space`: whose numbers these are (a
 * container has its own). All three are empty where the system does not tell (there is no /proc).
 */
export type ProcessIdentity = { pid: number; started: string; boot: string; space: string; host: string };

/** A program that was started for somebody: `marker` stands in the environment of all that came from it. */
export type StartedProcess = {
  process: ProcessIdentity;
  /** Who started it. */
  by: ProcessIdentity;
  marker: string;
  /** What of it ends with it: its process group (what has left that is to stay), or all that carry the marker. */
  reach: "group" | "all";
  /** For people: its command line. */
  what: string;
};

/** "elsewhere": nobody here can tell. */
type Liveness = "alive" | "dead" | "elsewhere";

type Place = Pick<ProcessIdentity, "boot" | "space" | "host">;

let here: Place | undefined;
let own: ProcessIdentity | undefined;

/** This process. */
export const ownIdentity = (): ProcessIdentity => (own ??= identityOf(process.pid));

/** A process of this system that runs, or ran a moment ago. */
export function identityOf(pid: number): ProcessIdentity {
  here ??= { boot: bootId(), space: processSpace(), host: hostname() };
  return { pid, started: statusOf(pid)?.started ?? "", ...here };
}

/** Whether the very same process still runs. */
export function livenessOf(known: ProcessIdentity): Liveness {
  const { boot, space, host } = ownIdentity();
  if (known.boot !== boot) return known.host === host ? "dead" : "elsewhere";
  if (known.space !== space || (boot === "" && known.host !== host)) return "elsewhere";
  if (known.started === "") return exists(known.pid) ? "alive" : "dead";
  const now = statusOf(known.pid);
  return now?.started === known.started && now.state !== "Z" && now.state !== "X" ? "alive" : "dead";
}

/** Whether its number is one of ours: of this start of the system, and not of another container. */
export const isHere = ({ boot, space }: ProcessIdentity): boolean =>
  boot === ownIdentity().boot && space === ownIdentity().space;

export const isSameProcess = (one: ProcessIdentity, other: ProcessIdentity): boolean =>
  one.pid === other.pid &&
  one.started === other.started &&
  one.boot === other.boot &&
  one.space === other.space;

let isOurs: boolean | undefined;

/**
 * Whether the numbers in /proc are those that we know processes by. In a namespace of its own a program may see the
 * /proc of another one, where its numbers are strangers'.
 */
export function procIsOurs(): boolean {
  try {
    return (isOurs ??= readlinkSync("/proc/self") === String(process.pid));
  } catch {
    return (isOurs = false);
  }
}

/** From /proc/PID/stat, whose second field is a name in brackets that may hold anything (proc_pid_stat(5)). */
function statusOf(pid: number): { state: string; started: string } | undefined {
  if (!procIsOurs()) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", started: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** Another user's process exists too, although we may not send it anything. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return "";
  }
}

function processSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
