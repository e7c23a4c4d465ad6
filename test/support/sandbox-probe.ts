/**
 * The form of a sandbox-escape probe: a command that prints ESCAPED if it got through, and always TRIED at the end, so
 * that a broken probe is noticed.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Profile } from "../../src/protocol/fact-words.ts";
import { refusedCalls } from "../../src/safety/sandbox/system-calls.ts";
import { isThere, type Place } from "./sandbox-place.ts";

export type Probe = {
  title: string;
  profiles: readonly Profile[];
  prepare?(place: Place): void;
  script(place: Place, world: World): string;
  /** Checked on the host afterwards; true if the command got through. */
  escaped?(place: Place): boolean;
};

/** Host resources, all owned by the tests, that the probes try to reach. */
export type World = { port: number; abstract: string; pid: number; memory: number };

/** The id of a piece of System V shared memory that everybody may read, until `ipcrm` removes it. */
export const makeSharedMemory = (): number =>
  Number(execFileSync("perl", ["-e", "print shmget(0, 64, 01666)"], { encoding: "utf8" }));
export const removeSharedMemory = (id: number): void => void execFileSync("ipcrm", ["-m", String(id)]);

export const contained: readonly Profile[] = ["read", "build", "git", "install"];
export const writing: readonly Profile[] = ["build", "git", "install"];
export const all: readonly Profile[] = [...contained, "open"];

/** A few lines of shell that count as an escape if all of them succeed. */
export const attempt = (lines: string): string => `( set -e; ${lines}\n) >/dev/null 2>&1 && echo ESCAPED`;

/** A system call by number with plain numbers as arguments; an escape unless it fails with EPERM or ENOSYS. */
export function call(name: string, ...given: number[]): string {
  const known = refusedCalls.find((one) => one.name === name);
  const number = process.arch === "arm64" ? known?.arm64 : known?.x64;
  const words = [number ?? 9999, ...given].join(", ");
  return `perl -e 'my $r = syscall(${words}); my $e = $! + 0; print "ESCAPED $r $e\\n" if $r != -1 || ($e != 1 && $e != 38);'`;
}

export const inWorkspace = (path: string) => (place: Place) => existsSync(join(place.workspace, path));
export const changed = (path: string, text: string) => (place: Place) =>
  !isThere(join(place.workspace, path)) || readFileSync(join(place.workspace, path), "utf8") !== text;
export const changedIfThere = (path: string, text: string) => (place: Place) =>
  isThere(join(place.workspace, path)) && readFileSync(join(place.workspace, path), "utf8") !== text;
