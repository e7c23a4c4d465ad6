/** Finds the sandbox that commands run in: probed once, then reused. It never falls back to running unsandboxed. */

import { existsSync } from "node:fs";
import { profiles } from "../../protocol/fact-words.ts";
import { containInBubblewrap, type BubblewrapFacts, layersFor, readyState } from "./bubblewrap.ts";
import { coversFor } from "./covers.ts";
import { findLandlock } from "./landlock/find.ts";
import { lifelines, sandboxedCommand } from "./lifeline.ts";
import { defaultLimits, type ProcessLimits } from "./limits.ts";
import type { BubblewrapPlan } from "./mounts.ts";
import { containInSandboxExec, noLayers } from "./sandbox-exec.ts";
import type { Sandbox } from "./sandbox-kinds.ts";
import { machineOf, seccompFilter } from "./seccomp.ts";
import { outputOf } from "./try-out.ts";

export type { ContainedRun, SandboxOutcome } from "./contained-run.ts";
export type { Sandbox } from "./sandbox-kinds.ts";
export type { ContainRequest } from "./request.ts";

type FindOptions = {
  platform?: NodeJS.Platform;
  /** Absolute paths only: a program of the same name in the workspace must not become the sandbox. */
  programs?: readonly string[];
  limits?: ProcessLimits;
  /** Ends what is being tried when Toolwright closes: what is found then is not used. */
  closing?: AbortSignal;
};

const bubblewraps = [
  "/usr/bin/bwrap",
  "/usr/local/bin/bwrap",
  "/bin/bwrap",
  "/run/current-system/sw/bin/bwrap",
  "/nix/var/nix/profiles/default/bin/bwrap",
];
const sandboxExec = "/usr/bin/sandbox-exec";

/** Finds a sandbox and probes it: only one that ran a command successfully counts as found. */
export async function findSandbox(options: FindOptions = {}): Promise<Sandbox> {
  const platform = options.platform ?? process.platform;
  if (platform === "darwin") return findSandboxExec();
  if (platform !== "linux")
    return none(
      `Toolwright has no sandbox for ${platform} yet, so every command that changes anything asks first`,
    );
  const limits = options.limits ?? defaultLimits();
  const program = (options.programs ?? bubblewraps).find((path) => existsSync(path));
  const first =
    program === undefined
      ? none("bubblewrap is not installed; install your distribution's package “bubblewrap”")
      : await findBubblewrap(program, limits, options.closing);
  return first.kind === "none" && !options.closing?.aborted ? findLandlock(limits, first.because) : first;
}

async function findBubblewrap(
  program: string,
  limits: ProcessLimits,
  closing?: AbortSignal,
): Promise<Sandbox> {
  const ends = closing ? { signal: closing } : {};
  const version = /^bubblewrap (\S+)/.exec((await outputOf([program, "--version"], ends)).text)?.[1];
  if (version === undefined) return none(`${program} does not say its version; reinstall bubblewrap`);
  if (isOlderThan(version, [0, 8]))
    return none(`bubblewrap ${version} is too old; version 0.8 or newer can forbid nested user namespaces`);
  const machine = machineOf(process.arch);
  const filter: BubblewrapFacts["filter"] = machine && ((filtering) => seccompFilter(machine, filtering));
  const lacks = filter ? [] : [`there is no filter for system calls on ${process.arch}`];
  let problem = "/bin/sh knows no limit for the number of processes";
  for (const lifeline of [...lifelines(), undefined]) {
    const ties = lifeline ? { lifeline } : {};
    const short = lifeline ? lacks : [...lacks, noLifeline];
    for (const letter of ["p", "u"] as const) {
      const facts = { program, limits, letter, ...(filter ? { filter } : {}), ...ties, ...ends };
      const tried = await tryOut(facts);
      if (tried === "works") return bubblewrapSandbox(facts, version, short);
      if (!tried.includes("ulimit")) problem = inWords(tried);
      if (!tried.includes("ulimit")) break;
    }
  }
  return none(problem);
}

const noLifeline =
  "a command may outlive a Toolwright that is killed just as the command starts by about a second (Perl, or setpriv and unshare of util-linux 2.33 or newer, would prevent that, where they may make PID namespaces)";

function bubblewrapSandbox(facts: BubblewrapFacts, version: string, lacks: readonly string[]): Sandbox {
  const state = readyState(facts);
  return {
    kind: "bubblewrap",
    version,
    lacks,
    contain: (request) => containInBubblewrap(request, facts, state),
    startNext: () => state.launcher.start(),
    async layers(places) {
      const found = await layersFor(places, state);
      return found.works ? { works: true } : found;
    },
    async openToSockets(stateDir) {
      const { stage, failed, open } = await coversFor(stateDir, [], state.covers);
      return stage === undefined ? open : failed;
    },
  };
}

/** Exercises everything that sandboxed commands need: namespaces, the seccomp filter, the limits. */
async function tryOut(facts: BubblewrapFacts) {
  const { lifeline } = facts;
  const plan: Omit<BubblewrapPlan, "identity" | "ipc"> = {
    program: facts.program,
    mounts: [
      { kind: "readable", path: "/" },
      { kind: "temporary", path: "/tmp", bytes: 1 << 20, mode: "1777" },
    ],
    network: "own",
    asRoot: false,
    directory: "/",
    ...(facts.filter ? { filter: facts.filter({ setId: "forbidden" }) } : {}),
    command: ["/bin/sh", "-c", "echo contained"],
  };
  const { command, env, feeds } = sandboxedCommand(
    plan,
    { PATH: "/usr/bin:/bin" },
    { lifeline, limits: { most: facts.limits, letter: facts.letter } },
  );
  const { exit, text } = await outputOf(command, { feeds, env, signal: facts.signal });
  return exit === 0 && text === "contained\n"
    ? "works"
    : text.trim() || `it ended with code ${exit ?? "none"}`;
}

function isOlderThan(version: string, [major, minor]: readonly [number, number]): boolean {
  const [thisMajor = 0, thisMinor = 0] = version.split(".").map(Number);
  return thisMajor < major || (thisMajor === major && thisMinor < minor);
}

/** bubblewrap names only the system call that failed; users need to know what to change. */
function inWords(said: string): string {
  const line = said.split("\n")[0] ?? "";
  const advice = /namespace|uid map|Operation not permitted|Permission denied/i.test(said)
    ? "this system does not let it create user namespaces: in a container allow them (or run the container with --security-opt seccomp=unconfined), on Ubuntu allow bwrap in AppArmor, elsewhere set kernel.unprivileged_userns_clone=1 and user.max_user_namespaces above 0"
    : "try it by hand, and reinstall it if it fails there too";
  return `bubblewrap is installed but does not work here (${line}); ${advice}`;
}

async function findSandboxExec(): Promise<Sandbox> {
  if (!existsSync(sandboxExec)) return none(`${sandboxExec} is missing, which belongs to macOS`);
  const { exit, text } = await outputOf([sandboxExec, "-p", "(version 1)(allow default)", "/usr/bin/true"]);
  if (exit !== 0) return none(`sandbox-exec does not work here (${text.trim()})`);
  const lacks = ["limits on processes and memory are those of the user", "programs see each other"];
  return {
    kind: "sandbox-exec",
    version: "1",
    lacks,
    profiles: profiles.filter((profile) => profile !== "install"),
    contain: containInSandboxExec(defaultLimits()),
    layers: () => Promise.resolve({ works: false, because: noLayers }),
    openToSockets: () => Promise.resolve([]),
  };
}

const none = (because: string): Sandbox => ({ kind: "none", because });
