/** Makes everything a command starts end together with Toolwright, at whatever moment that is killed. */

import { readlinkSync } from "node:fs";
import { namespaceOptions, onStage, programNamed, type Stage } from "./layer/layer.ts";
import type { BubblewrapPlan } from "./mounts.ts";

/** The programs and `unshare` options with which a command gets an outer PID namespace of its own. */
export type Lifeline = {
  setpriv: string;
  unshare: string;
  /** Only root can make a PID namespace without its own user namespace. */
  options: readonly "-Ur"[];
};

/** The lifelines that may work here, the better one first. */
export function lifelines(): Lifeline[] {
  const [setpriv, unshare] = [programNamed("setpriv"), programNamed("unshare")];
  if (setpriv === undefined || unshare === undefined) return [];
  const own: Lifeline = { setpriv, unshare, options: ["-Ur"] };
  return process.getuid?.() === 0 ? [{ ...own, options: [] }, own] : [own];
}

/** What surrounds bubblewrap. */
type Surroundings = {
  lifeline?: Lifeline | undefined;
  stage?: Stage | undefined;
  /** The most that shared memory segments of System V may hold together. */
  sharedBytes?: number;
};

/** What bubblewrap must be told when it is started there. */
export const atItsEnd = ({ lifeline, stage }: Surroundings): Pick<BubblewrapPlan, "identity" | "ipc"> => ({
  ...(lifeline ? { ipc: "inherited" } : {}),
  ...(isMapped({ lifeline, stage }) ? { identity: ourselves() } : {}),
});

/** Whether one of them needs a user namespace of its own. */
const isMapped = ({ lifeline, stage }: Surroundings): boolean =>
  stage?.way.options === "-Urm" || (lifeline?.options.length ?? 0) > 0;

const ourselves = (): { uid: number; gid: number } => ({
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
});

/**
 * bubblewrap asks to die with its parent only when it has been set up, and its first process inside later still: a
 * parent that was killed before is never noticed. So `unshare` dies with us from its first moment, and is the parent of
 * an outer PID namespace, whose end the kernel makes the end of everything in it, whatever state that is in. A parent
 * that died even before it could be watched is known by not being the expected one any more. The same `unshare` makes
 * the mount namespace of the stage: each program more would take a millisecond.
 */
export function surrounded(command: readonly string[], surroundings: Surroundings): string[] {
  const { lifeline, stage, sharedBytes = smallest } = surroundings;
  const unshare = lifeline?.unshare ?? stage?.way.unshare;
  if (unshare === undefined) return [...command];
  const script = [...(lifeline ? [ifStillOurs] : []), ...(stage ? [onStage] : []), 'exec "$@"'].join("\n");
  return [
    ...(lifeline ? [lifeline.setpriv, "--pdeathsig", "KILL"] : []),
    unshare,
    ...(isMapped(surroundings) ? ["-Ur"] : []),
    ...(stage ? namespaceOptions : []),
    ...(lifeline ? ["--pid", "--ipc", "--fork", "--kill-child=KILL"] : []),
    "/bin/sh",
    "-c",
    script,
    "sh",
    ...(lifeline ? [ownNumber(), String(Math.floor(sharedBytes / pageBytes))] : []),
    ...(stage ? [stage.directory, stage.way.mount] : []),
    ...command,
  ];
}

const pageBytes = 4096;
const smallest = 1 << 20;

/**
 * Segments of System V that no process has attached are seen by nobody outside, so they have a limit of their own;
 * kernels before 5.19 let only root set it. In the new namespace `$PPID` is 0, so the parents are read from /proc,
 * which is still the one that we see.
 */
const ifStillOurs = [
  'parent() { while read -r name value; do [ "$name" = PPid: ] && break; done <"/proc/$1/status"; }',
  'parent self && parent "$value" && [ "$value" = "$1" ] || {',
  'echo "The program that started this command is gone." >&2; exit 137; }',
  '{ echo "$2" >/proc/sys/kernel/shmall; } 2>/dev/null',
  "shift 2",
].join("\n");

/** Our number in /proc, which may be that of an outer PID namespace. */
const ownNumber = (): string => readlinkSync("/proc/self");
