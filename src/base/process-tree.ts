/** Stops a process and its descendants, including those that left its process group or lost their parents. */

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { attempt } from "./expected.ts";
import { procIsOurs, type ProcessStatus, statusOf } from "./process-identity.ts";

/** A process, identified by number and start time because numbers are reused. In `state` "Z" it has ended. */
type ProcessEntry = ProcessStatus & { pid: number };

type StopOptions = {
  /** "NAME=value" in the environment of all members of the tree, wherever they are now. */
  marker?: string;
  /** Stop only the process group: programs that left it did so to stay. */
  groupOnly?: boolean;
};

/** Time between asking a process to stop and killing it, in milliseconds. */
const graceMs = 500;
const pollMs = 20;

/**
 * Sends SIGTERM and, after a short grace period, kills the rest. Without /proc only the process group is known. Without
 * a leader, whose number may have been reused, stops only processes that carry the marker.
 */
export async function stopTree(leader: number | undefined, options: StopOptions = {}): Promise<void> {
  if (leader === undefined ? options.marker === undefined : !mayEnd(leader)) return;
  const members = options.groupOnly ? [] : familyOf(leader, options.marker);
  if (!groupExists(leader) && members.length === 0) return;
  sendToGroup(leader, "SIGTERM");
  for (const member of members) send(member.pid, "SIGTERM");
  const until = Date.now() + graceMs;
  do await sleep(pollMs);
  while (Date.now() < until && (members.some(stillRuns) || groupRuns(leader)));
  const late = options.groupOnly ? [] : familyOf(leader, options.marker);
  sendToGroup(leader, "SIGKILL");
  for (const member of [...members, ...late]) if (stillRuns(member)) send(member.pid, "SIGKILL");
}

/**
 * Whether a number can be that of a program we started. As a group number 1 means every process (kill -1), 0 and
 * negative numbers mean groups, and our own group and ancestors are never our children.
 */
const mayEnd = (pid: number): boolean =>
  Number.isSafeInteger(pid) && pid > 1 && !isAbove(pid) && pid !== processOf(process.pid)?.group;

/** Whether the process is this one or one of its ancestors. */
function isAbove(pid: number): boolean {
  if (pid === process.ppid) return true;
  const seen = new Set<number>();
  for (let at = process.pid; at > 1 && !seen.has(at); at = processOf(at)?.parent ?? 0) {
    if (at === pid) return true;
    seen.add(at);
  }
  return false;
}

/** The leader, its descendants and all processes that carry the marker. */
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
 * Whether any running process carries the marker: in this process group (its number is not reused while the group
 * exists), or at all.
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

function processOf(pid: number): ProcessEntry | undefined {
  const status = statusOf(pid);
  return status && { pid, ...status };
}

/** An environment ends with an empty entry, so a marker without a name and a value would match every process. */
function carries(pid: number, marker: string): boolean {
  if (!/^[^=]+=[^]/.test(marker)) return false;
  return attempt(() => readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(marker)) ?? false;
}

function stillRuns(known: ProcessEntry): boolean {
  const now = processOf(known.pid);
  return now !== undefined && now.started === known.started && now.state !== "Z";
}

/** Whether the group has members other than zombies. */
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
    // Already gone, or not ours to stop.
  }
}
