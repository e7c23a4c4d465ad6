/** Stopping a process and all that came from it, also what has left its process group or lost its parents. */

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { bounds } from "./bounds.ts";
import { procIsOurs } from "./process-identity.ts";

/** A process is known by its number and start time, because numbers are used again. `state` "Z" has ended. */
type ProcessEntry = { pid: number; started: string; parent: number; group: number; state: string };

type StopOptions = {
  /** "NAME=value" in the environment of all that belong to the tree, wherever they are now. */
  marker?: string;
  /** Only the process group: what has left it did so to stay. */
  groupOnly?: boolean;
};

const graceMs = bounds.commands.grace.most;
const pollMs = 20;

/**
 * Asks (SIGTERM) and, after a short grace, kills what is left. Where there is no /proc only the process group is known.
 * Without a leader, whose number may be another's by now, only whoever carries the marker is stopped.
 */
export async function stopTree(leader: number | undefined, options: StopOptions = {}): Promise<void> {
  if (leader === undefined ? options.marker === undefined : !mayEnd(leader)) return;
  const members = options.groupOnly ? [] : familyOf(leader, options.marker);
  if (!groupExists(leader) && members.length === 0) return;
  sendToGroup(leader, "SIGTERM");
  for (const member of members) send(member.pid, "SIGTERM");
  const until = Date.now() + graceMs;
  while (Date.now() < until && (groupRuns(leader) || members.some(stillRuns))) await sleep(pollMs);
  const late = options.groupOnly ? [] : familyOf(leader, options.marker);
  sendToGroup(leader, "SIGKILL");
  for (const member of [...members, ...late]) if (stillRuns(member)) send(member.pid, "SIGKILL");
}

/**
 * Whether a number can be that of a program we have started. To the system 1 is everybody, 0 and what is negative are
 * groups; and we are nobody's child of our own.
 */
const mayEnd = (pid: number): boolean =>
  Number.isSafeInteger(pid) && pid > 1 && !isAbove(pid) && pid !== processOf(process.pid)?.group;

/** Whether it is us, or we descend from it. */
function isAbove(pid: number): boolean {
  if (pid === process.ppid) return true;
  const seen = new Set<number>();
  for (let at = process.pid; at > 1 && !seen.has(at); at = processOf(at)?.parent ?? 0) {
    if (at === pid) return true;
    seen.add(at);
  }
  return false;
}

/** The leader, its descendants and whoever carries the marker. */
function familyOf(leader: number | undefined, marker: string | undefined): ProcessEntry[] {
  const all = allProcesses();
  const family = new Set(leader === undefined ? [] : [leader]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  const isOfIt = (pid: number): boolean => family.has(pid) || (marker !== undefined && carries(pid, marker));
  return all.filter(({ pid }) => pid > 1 && isOfIt(pid) && !isAbove(pid));
}

/**
 * Whether somebody carries the marker: in this process group (its number is not used again while it exists), or at all.
 */
export const anyCarries = (marker: string, group?: number): boolean =>
  allProcesses().some(
    (known) =>
      (group === undefined || known.group === group) && known.state !== "Z" && carries(known.pid, marker),
  );

function allProcesses(): ProcessEntry[] {
  if (!procIsOurs()) return [];
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.map((pid) => processOf(Number(pid))).filter((known) => known !== undefined);
  } catch {
    return [];
  }
}

/** From /proc/PID/stat, whose second field is a name in brackets that may hold anything (proc_pid_stat(5)). */
function processOf(pid: number): ProcessEntry | undefined {
  if (!procIsOurs()) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent, group] = fields;
    return { pid, state, parent: Number(parent), group: Number(group), started: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** An environment ends with an empty word: a marker without a name and a value would be carried by everybody. */
function carries(pid: number, marker: string): boolean {
  if (!/^[^=]+=[^]/.test(marker)) return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(marker);
  } catch {
    // Another user's, or gone.
    return false;
  }
}

function stillRuns(known: ProcessEntry): boolean {
  const now = processOf(known.pid);
  return now !== undefined && now.started === known.started && now.state !== "Z";
}

/** Whether the group has members that are not merely waiting to be collected. */
function groupRuns(leader: number | undefined): boolean {
  if (!groupExists(leader)) return false;
  const members = allProcesses().filter(({ group }) => group === leader);
  return members.length === 0 || members.some(({ state }) => state !== "Z");
}

function groupExists(leader: number | undefined): boolean {
  if (leader === undefined) return false;
  try {
    process.kill(-leader, 0);
    return true;
  } catch {
    return false;
  }
}

function sendToGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader !== undefined) send(-leader, signal);
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone already, or not ours to stop.
  }
}
