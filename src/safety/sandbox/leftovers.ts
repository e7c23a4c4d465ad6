/** Ends and cleans up what earlier processes that were killed left behind, in the system and in the state directory. */

import { realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { errorMessage } from "../../base/expected.ts";
import { ownIdentity, procIsOurs } from "../../base/process-identity.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import { fileText, linkTarget, namesIn, statusOf } from "../on-disk.ts";
import { putBackKept } from "./put-back.ts";
import { removeTree } from "./remove-tree.ts";
import type { ContainRequest } from "./request.ts";
import { abandonedRuns, coversPrefix, isAbandoned, ownDirectory, ownName, runsDirectory } from "./runs.ts";

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
 * Before the first command with this state directory: ends what earlier owners left running, then removes their
 * directories; what cannot be removed waits for the next. Says what was put back and moved away, if not to a rehearsal.
 */
export function removeLeftoversOnce({ stateDir, rehearsed }: Cleaning, told: LeftoversTold): string[] {
  const untold = told.get(stateDir) ?? removeLeftovers(stateDir);
  told.set(stateDir, rehearsed ? untold : []);
  return rehearsed ? [] : untold;
}

/** By state directory already cleaned: what is still to be told. */
export type LeftoversTold = Map<string, string[]>;
type Cleaning = Pick<ContainRequest, "stateDir" | "rehearsed">;

function removeLeftovers(stateDir: string): string[] {
  endLeftRunning(stateDir);
  const told = putBackLeft(stateDir);
  for (const name of abandonedRuns(stateDir)) {
    try {
      removeTree(join(runsDirectory(stateDir), name));
    } catch {
      // A concurrent start may be removing the same directory.
    }
  }
  // The sign for the next start that there may be something to clean up.
  makeDirectorySync(ownDirectory(stateDir), 0o700);
  if (used.size === 0) process.once("exit", removeOwn);
  used.add(stateDir);
  return told;
}

/** State directories in which this process has a directory of its own. */
const used = new Set<string>();

/** At an end in order, where no command runs any more: the next start then need not look at every process. */
function removeOwn(): void {
  for (const stateDir of used)
    try {
      const own = ownDirectory(stateDir);
      if (namesIn(own).every((name) => name.startsWith(coversPrefix))) removeTree(own);
    } catch {
      // It stays, and the next start looks.
    }
}

/** Puts back and moves away what commands of earlier owners had changed and planted, and says what. Never throws. */
export function putBackLeft(stateDir: string): string[] {
  return abandonedRuns(stateDir).flatMap((name) => {
    const directory = join(runsDirectory(stateDir), name);
    return namesIn(directory).flatMap((own) => {
      try {
        return putBackKept(directory, own, stateDir);
      } catch (error) {
        return [
          `What a command had changed when Toolwright was killed could not be put back (${errorMessage(error)}). The next start tries again.`,
        ];
      }
    });
  });
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

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}
