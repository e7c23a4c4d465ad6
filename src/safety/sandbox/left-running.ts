/** Whose the processes of sandboxes are, and the end of those whose owner was killed. */

import { realpathSync, statSync } from "node:fs";
import { basename } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { attempt } from "../../base/expected.ts";
import { ownIdentity, procIsOurs } from "../../base/process-identity.ts";
import { fileText, linkTarget, namesIn, statusOf } from "../on-disk.ts";
import { abandonedRuns, isAbandoned, ownName } from "./runs.ts";

/** In the environment of everything that is started in the sandbox: whose it is. No record of it can be lost. */
export const ownerVariable = "TOOLWRIGHT_OWNER";

export const ownMark = (stateDir: string): string => `${placeMark(stateDir)}.${ownName()}`;

/** Of a command that no namespace holds; as it reaches nothing outside, only what it started can inherit this. */
export const confinedMark = (stateDir: string): string => `${ownMark(stateDir)}${confined}`;
const confined = ".confined";

/** Differs for another state directory, another boot and another container, whose processes are not ours to judge. */
function placeMark(stateDir: string): string {
  const { boot, space } = ownIdentity();
  const path = realpathSync.native(stateDir);
  const { dev, ino } = statSync(path);
  return sha256(Buffer.from([boot, space, path, dev, ino].join("\0"))).slice(0, 24);
}

/**
 * Killing the first process of a namespace takes a moment to end the others, and any of them may just have forked; on a
 * busy machine a killed process may still finish what it has begun. So there are pauses: a second in all, at most.
 */
const mostRounds = 50;
const longestPauseMs = 25;

/** Kills the processes of owners that no longer run. Never throws; returns how many there were. */
export function endLeftRunning(stateDir: string): number {
  if (!procIsOurs() || abandonedRuns(stateDir).length === 0) return 0;
  const mark = `${ownerVariable}=${placeMark(stateDir)}.`;
  const killed = new Set<string>();
  for (let round = 0; round < mostRounds; round += 1) {
    const left = leftRunning(mark);
    if (left.length === 0) break;
    for (const pid of left) {
      killed.add(pid);
      kill(Number(pid));
    }
    pause(Math.min(round, longestPauseMs));
  }
  return killed.size;
}

/** Nothing else may happen meanwhile: what is put back next must stay. */
const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Processes of our own user whose owner has ended. A process that has ended has no environment any more. */
function leftRunning(mark: string): string[] {
  const user = process.getuid?.();
  return namesIn("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || statusOf(`/proc/${name}`)?.uid !== user) return false;
    const variables = fileText(`/proc/${name}/environ`).split("\0");
    const owner = variables.find((variable) => variable.startsWith(mark));
    if (owner === undefined || !isAbandoned(owner.slice(mark.length))) return false;
    return owner.endsWith(confined) || isOfSandbox(name);
  });
}

/**
 * What runs in a sandbox has a namespace of its own; outside are only the programs that lead there. Others may have
 * inherited the mark, even we: an approved command asked an editor or a desktop that runs outside to start something.
 */
const isOfSandbox = (pid: string): boolean =>
  linkTarget(`/proc/${pid}/ns/pid`) !== linkTarget("/proc/self/ns/pid") ||
  fileText(`/proc/${pid}/cmdline`)
    .split("\0")
    .some((word) => basename(word) === "bwrap");

/** Nothing, if it has ended already. */
const kill = (pid: number): unknown => attempt(() => process.kill(pid, "SIGKILL"));
