/** Makes everything a command starts end together with Toolwright, at whatever moment that is killed. */

import { existsSync, readlinkSync } from "node:fs";
import { runVariable } from "../../base/start-process.ts";
import { perls } from "./landlock/helper.ts";
import { wordsToMount } from "./launcher-mounts.ts";
import { launcherCommand, launcherOrder, withoutPerls } from "./launcher.ts";
import { type BubblewrapPlan, bubblewrapCommand } from "./mounts.ts";
import { namespaceOptions, onStage, programNamed, type Stage } from "./overlay/overlay.ts";
import { type ProcessLimits, withLimits } from "./process-limits.ts";
import { type MachineArchitecture, machineOf } from "./seccomp.ts";

/**
 * The programs with which a command gets an outer PID namespace of its own. `mounts`: the launcher mounts what the
 * command sees, which needs Linux 5.12.
 */
export type Lifeline = {
  by: { perl: string; machine: MachineArchitecture; mounts: boolean } | { setpriv: string; unshare: string };
  /** Only root can make a PID namespace without its own user namespace. */
  options: readonly "-Ur"[];
};

/** The lifelines that may work here, the better one first: one program is faster than a chain, and can watch. */
export function lifelines(): Lifeline[] {
  const [setpriv, unshare] = [programNamed("setpriv"), programNamed("unshare")];
  const [perl, machine] = [perls.find((path) => existsSync(path)), machineOf(process.arch)];
  const ways = process.getuid?.() === 0 ? ([[], ["-Ur"]] as const) : ([["-Ur"]] as const);
  return [
    ...(perl === undefined || machine === undefined
      ? []
      : [true, false].flatMap((mounts) =>
          ways.map((options) => ({ by: { perl, machine, mounts }, options })),
        )),
    ...(setpriv === undefined || unshare === undefined
      ? []
      : ways.map((options) => ({ by: { setpriv, unshare }, options }))),
  ];
}

/** What surrounds bubblewrap. */
type LauncherOptions = {
  lifeline?: Lifeline | undefined;
  stage?: Stage | undefined;
  /** The most that shared memory segments of System V may hold together. */
  sharedBytes?: number;
  limits?: ProcessLimits;
  /** Words for the launcher's part that observes. */
  observed?: readonly string[] | undefined;
  /** Whether the command's standard error is to go into its output. */
  joinsErrors?: boolean;
};

/** Whether one of them needs a user namespace of its own. */
const isMapped = ({ lifeline, stage }: LauncherOptions): boolean =>
  stage?.way.options === "-Urm" || (lifeline?.options.length ?? 0) > 0;

const ourselves = (): { uid: number; gid: number } => ({
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
});

/** What is to be started for a command in bubblewrap, and what it is given on descriptors 3, 4 and so on. */
export type StartedCommand = {
  command: readonly string[];
  env: Record<string, string>;
  feeds: Uint8Array[];
  joinsErrors: boolean;
  /** What a launcher is given instead that was started beforehand, by the same command and without variables. */
  later?: () => readonly Uint8Array[];
};

/** See `launcher.ts`, whose task a chain of programs has where there is no Perl. */
export function sandboxedCommand(
  plan: Omit<BubblewrapPlan, "identity" | "ipc">,
  env: Record<string, string>,
  surroundings: LauncherOptions,
): StartedCommand {
  const { lifeline, stage, sharedBytes = smallest, limits, observed, joinsErrors = false } = surroundings;
  const sharedPages = Math.floor(sharedBytes / pageBytes);
  const launcher = lifeline && "perl" in lifeline.by ? lifeline.by : undefined;
  const isApart = plan.network === "own";
  const started = {
    ...plan,
    ipc: lifeline && ("inherited" as const),
    identity: isMapped(surroundings) ? ourselves() : undefined,
  };
  if (!launcher) {
    const command = limits ? withLimits(plan.command, limits) : plan.command;
    const { feeds, ...inside } = bubblewrapCommand({ ...started, command });
    const chain = commandChain(inside.command, { lifeline, stage, sharedPages });
    return { command: chain, env, feeds, joinsErrors: false };
  }
  const { command, feeds } = bubblewrapCommand(
    {
      ...started,
      mounts: launcher.mounts ? [] : plan.mounts,
      network: isApart ? "inherited" : plan.network,
    },
    4,
  );
  const order = (variables: Readonly<Record<string, string>>): Uint8Array =>
    launcherOrder(launcher.machine, {
      command,
      stage: stage?.directory,
      observed,
      view: launcher.mounts ? wordsToMount(plan.mounts) : undefined,
      limits,
      variables,
    });
  const { env: early, later } = withoutPerls(env);
  const same = { isMapped: isMapped(surroundings), isApart, joinsErrors, sharedPages };
  return {
    command: launcherCommand({ ...launcher, ...same }),
    env: early,
    feeds: [order(later), ...feeds],
    joinsErrors,
    later: joinsErrors ? () => [order(withoutRun(env)), ...feeds] : undefined,
  };
}

/** A launcher that waits has one of its own, which goes on to the command. */
const withoutRun = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name !== runVariable));

type Chain = Pick<LauncherOptions, "lifeline" | "stage"> & { sharedPages: number };

/**
 * Where there is no Perl: `unshare` dies with us from its first moment, and is the parent of the outer PID namespace. It
 * makes the mount namespace of the stage, too: each program more would take a millisecond.
 */
function commandChain(command: readonly string[], { lifeline, stage, sharedPages }: Chain): string[] {
  const chain = lifeline && "setpriv" in lifeline.by ? lifeline.by : undefined;
  const unshare = chain?.unshare ?? stage?.way.unshare;
  if (unshare === undefined) return [...command];
  const script = [...(chain ? [ifStillOurs] : []), ...(stage ? [onStage] : []), 'exec "$@"'].join("\n");
  return [
    ...(chain ? [chain.setpriv, "--pdeathsig", "KILL"] : []),
    unshare,
    ...(isMapped({ lifeline, stage }) ? ["-Ur"] : []),
    ...(stage ? namespaceOptions : []),
    ...(chain ? ["--pid", "--ipc", "--fork", "--kill-child=KILL"] : []),
    "/bin/sh",
    "-c",
    script,
    "sh",
    ...(chain ? [ownNumber(), String(sharedPages)] : []),
    ...(stage ? [stage.directory, stage.way.mount] : []),
    ...command,
  ];
}

const pageBytes = 4096;
const smallest = 1 << 20;

/** In the new namespace `$PPID` is 0, so the parents are read from /proc, which is still the one that we see. */
const ifStillOurs = [
  'parent() { while read -r name value; do [ "$name" = PPid: ] && break; done <"/proc/$1/status"; }',
  'parent self && parent "$value" && [ "$value" = "$1" ] || {',
  'echo "The program that started this command is gone." >&2; exit 137; }',
  '{ echo "$2" >/proc/sys/kernel/shmall; } 2>/dev/null',
  "shift 2",
].join("\n");

/** Our number in /proc, which may be that of an outer PID namespace. */
const ownNumber = (): string => readlinkSync("/proc/self");
