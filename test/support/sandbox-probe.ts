/**
 * What a way out of the sandbox looks like: a command that says ESCAPED when it got through. Each ends with TRIED, so
 * that a broken one is seen.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Profile } from "../../src/safety/sandbox/sandbox.ts";
import { refusedCalls } from "../../src/safety/sandbox/system-calls.ts";
import { isThere, type Place } from "./sandbox-place.ts";

export type Probe = {
  title: string;
  profiles: readonly Profile[];
  prepare?(place: Place): void;
  script(place: Place, world: World): string;
  /** Looked at on the host afterwards; true when the command got through. */
  escaped?(place: Place): boolean;
};

/** What of the host the probes try to reach; all of it belongs to the tests. */
export type World = { port: number; abstract: string; pid: number };

export const contained: readonly Profile[] = ["read", "build", "git", "install"];
export const writing: readonly Profile[] = ["build", "git", "install"];
export const all: readonly Profile[] = [...contained, "open"];

/** Tries a few lines of shell; got through means all of them succeeded. */
export const attempt = (lines: string): string => `( set -e; ${lines}\n) >/dev/null 2>&1 && echo ESCAPED`;

/** A system call by number, with plain numbers as arguments; got through means it did not fail with EPERM or ENOSYS. */
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
