/** Identifies a process beyond its number, as numbers are reused, in other containers and after a reboot too. */

import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { attempt } from "./expected.ts";

/**
 * `started`: in ticks since boot; `boot`: the boot id; `space`: the PID namespace (each container has one). All three
 * are empty where the system does not tell them (no /proc).
 */
export type ProcessIdentity = { pid: number; started: string; boot: string; space: string; host: string };

/** A program started by one of our processes; `marker` is in the environment of all its descendants. */
export type StartedProcess = {
  process: ProcessIdentity;
  /** The process that started it. */
  by: ProcessIdentity;
  marker: string;
  /**
   * The processes to stop with it: its process group (programs that left the group stay), or all that carry the marker.
   */
  reach: "group" | "all";
  /** Its command line, for display. */
  what: string;
};

/** "elsewhere": it ran on another machine or in another container, so its state cannot be determined here. */
type Liveness = "alive" | "dead" | "elsewhere";

type ProcessScope = Pick<ProcessIdentity, "boot" | "space" | "host">;

let here: ProcessScope | undefined;
let own: ProcessIdentity | undefined;

/** This process. */
export const ownIdentity = (): ProcessIdentity => (own ??= identityOf(process.pid));

/** The identity of a process on this system that runs or has just ended. */
export function identityOf(pid: number): ProcessIdentity {
  here ??= { boot: bootId(), space: processSpace(), host: hostname() };
  return { pid, started: statusOf(pid)?.started ?? "", ...here };
}

/** Whether this very process still runs. */
export function livenessOf(known: ProcessIdentity): Liveness {
  const { boot, space, host } = ownIdentity();
  if (known.boot !== boot) return known.host === host ? "dead" : "elsewhere";
  if (known.space !== space || (boot === "" && known.host !== host)) return "elsewhere";
  if (known.started === "") return exists(known.pid) ? "alive" : "dead";
  const now = statusOf(known.pid);
  return now?.started === known.started && now.state !== "Z" && now.state !== "X" ? "alive" : "dead";
}

/** Whether its number is valid here: from this boot of the system, and not from another container. */
export const isHere = ({ boot, space }: ProcessIdentity): boolean =>
  boot === ownIdentity().boot && space === ownIdentity().space;

export const isSameProcess = (one: ProcessIdentity, other: ProcessIdentity): boolean =>
  one.pid === other.pid &&
  one.started === other.started &&
  one.boot === other.boot &&
  one.space === other.space;

let isOurs: boolean | undefined;

/**
 * Whether /proc lists processes by the numbers that we use. In a PID namespace a program may see the /proc of another
 * namespace, where the same numbers mean other processes.
 */
export function procIsOurs(): boolean {
  try {
    return (isOurs ??= readlinkSync("/proc/self") === String(process.pid));
  } catch {
    return (isOurs = false);
  }
}

export type ProcessStatus = { state: string; parent: number; group: number; started: string };

/** Parses /proc/PID/stat, whose second field is a name in brackets that may hold any characters (proc_pid_stat(5)). */
export function statusOf(pid: number): ProcessStatus | undefined {
  if (!procIsOurs()) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent, group] = fields;
    return { state, parent: Number(parent), group: Number(group), started: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** Another user's process counts as existing although we may not signal it. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

const bootId = (): string =>
  attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()) ?? "";

const processSpace = (): string => attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "";
