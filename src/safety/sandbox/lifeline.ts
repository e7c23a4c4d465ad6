/** Makes everything a command starts end together with Toolwright, at whatever moment that is killed. */

import { readlinkSync } from "node:fs";
import { programNamed } from "./layer/layer.ts";
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

/** What bubblewrap must be told when it is started at the end of a lifeline, or in another user namespace of ours. */
export const atItsEnd = (
  lifeline: Lifeline | undefined,
  isMapped = false,
): Pick<BubblewrapPlan, "identity" | "ipc"> => ({
  ...(lifeline ? { ipc: "inherited" } : {}),
  ...(isMapped || lifeline?.options.length ? { identity: ourselves() } : {}),
});

const ourselves = (): { uid: number; gid: number } => ({
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
});

/**
 * bubblewrap asks to die with its parent only when it has been set up, and its first process inside later still: a
 * parent that was killed before is never noticed. So `unshare` dies with us from its first moment, and is the parent of
 * an outer PID namespace, whose end the kernel makes the end of everything in it, whatever state that is in. A parent
 * that died even before it could be watched is known by not being the expected one any more.
 */
export const tied = (
  { setpriv, unshare, options }: Lifeline,
  command: readonly string[],
  sharedBytes = smallest,
): string[] => [
  setpriv,
  "--pdeathsig",
  "KILL",
  unshare,
  ...options,
  "--pid",
  "--ipc",
  "--fork",
  "--kill-child=KILL",
  "/bin/sh",
  "-c",
  ifStillOurs,
  "sh",
  ownNumber(),
  String(Math.floor(sharedBytes / pageBytes)),
  ...command,
];

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
  'shift 2 && exec "$@"',
].join("\n");

/** Our number in /proc, which may be that of an outer PID namespace. */
const ownNumber = (): string => readlinkSync("/proc/self");
