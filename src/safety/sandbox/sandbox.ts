/** Finds the sandbox that commands run in: probed once, then reused. It never falls back to running unsandboxed. */

import { existsSync } from "node:fs";
import { z } from "zod/mini";
import { type Expected, refuse } from "../../base/expected.ts";
import { parseJson } from "../../base/json.ts";
import { profiles } from "../../protocol/fact-words.ts";
import { containInBubblewrap, type BubblewrapFacts, overlaysFor, readyState } from "./bubblewrap.ts";
import { coversFor } from "./covers.ts";
import { findLandlock } from "./landlock/find.ts";
import { perls } from "./landlock/helper.ts";
import { launcherCode } from "./launcher.ts";
import { lifelines, sandboxedCommand } from "./lifeline.ts";
import type { BubblewrapPlan } from "./mounts.ts";
import { programNamed } from "./overlay/overlay.ts";
import { defaultLimits, type ProcessLimits } from "./process-limits.ts";
import { containInSandboxExec, noOverlays } from "./sandbox-exec.ts";
import type { Sandbox } from "./sandbox-kinds.ts";
import { machineOf, seccompFilter } from "./seccomp.ts";
import { noTryOutMemory, type TryOutMemory, tryOutMemory } from "./try-out-memory.ts";
import { outputOf } from "./try-out.ts";

export type { ContainedRun, SandboxOutcome } from "./contained-run.ts";
export type { Sandbox } from "./sandbox-kinds.ts";
export type { ContainRequest } from "./request.ts";

type FindOptions = {
  /** Absolute paths only: a program of the same name in the workspace must not become the sandbox. */
  programs?: readonly string[];
  limits?: ProcessLimits;
  /** Ends what is being tried when Toolwright closes: what is found then is not used. */
  closing?: AbortSignal;
  /** Where what works is remembered; without one, all is tried. */
  stateDir?: string;
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
  const { platform } = process;
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
      : await findBubblewrap(program, limits, options);
  return first.kind === "none" && !options.closing?.aborted ? findLandlock(limits, first.because) : first;
}

type FoundBubblewrap = { facts: BubblewrapFacts; version: string; lacks: readonly string[] };

/** Of one that works; `lifeline`: its place in the list. */
const outcomeOf = z.object({ version: z.string(), lifeline: z.number() });

async function findBubblewrap(
  program: string,
  limits: ProcessLimits,
  { closing, stateDir }: FindOptions,
): Promise<Sandbox> {
  const memory =
    stateDir === undefined ? noTryOutMemory : tryOutMemory(stateDir, programsOf(program), launcherCode());
  const ways = [...lifelines(), undefined];
  const found = ({ version, lifeline: at }: z.infer<typeof outcomeOf>): FoundBubblewrap => {
    const machine = machineOf(process.arch);
    const filter: BubblewrapFacts["filter"] = machine && ((filtering) => seccompFilter(machine, filtering));
    const lifeline = ways[at];
    const facts = { program, limits, filter, lifeline, signal: closing };
    const lacks = filter ? [] : [`there is no filter for system calls on ${process.arch}`];
    return { facts, version, lacks: lifeline ? lacks : [...lacks, noLifeline] };
  };
  const tryAll = async (): Promise<Expected<FoundBubblewrap>> => {
    const version = await versionOf(program, closing);
    if (!version.ok) return version;
    let said = "";
    for (const lifeline of ways.keys()) {
      const outcome = { version: version.value, lifeline };
      const one = found(outcome);
      said = await tryOut(one.facts);
      if (said !== "works") continue;
      memory.keep("bubblewrap", JSON.stringify(outcome));
      return { ok: true, value: one };
    }
    return refuse(inWords(said));
  };
  const recalled = recalledOutcome(memory);
  const first = recalled ? { ok: true as const, value: found(recalled) } : await tryAll();
  return first.ok ? bubblewrapSandbox(first.value, memory, tryAll) : none(first.problem);
}

function recalledOutcome(memory: TryOutMemory): z.infer<typeof outcomeOf> | undefined {
  const text = memory.recall("bubblewrap");
  const read = text === undefined ? undefined : parseJson(text);
  const outcome = read?.ok ? outcomeOf.safeParse(read.value) : undefined;
  return outcome?.success && outcome.data.lifeline <= lifelines().length ? outcome.data : undefined;
}

/** All that take part in what is tried. */
const programsOf = (program: string): string[] => [
  program,
  ...perls,
  ...["setpriv", "unshare", "mount", "sh"].flatMap((name) => programNamed(name) ?? []),
];

async function versionOf(program: string, signal: AbortSignal | undefined): Promise<Expected<string>> {
  const version = /^bubblewrap (\S+)/.exec((await outputOf([program, "--version"], { signal })).text)?.[1];
  if (version === undefined) return refuse(`${program} does not say its version; reinstall bubblewrap`);
  if (!isOlderThan(version, [0, 8])) return { ok: true, value: version };
  return refuse(`bubblewrap ${version} is too old; version 0.8 or newer can forbid nested user namespaces`);
}

const noLifeline =
  "a command may outlive a Toolwright that is killed just as the command starts by about a second (Perl, or setpriv and unshare of util-linux 2.33 or newer, would prevent that, where they may make PID namespaces)";

function bubblewrapSandbox(
  { facts, version, lacks }: FoundBubblewrap,
  memory: TryOutMemory,
  tryAll: () => Promise<Expected<FoundBubblewrap>>,
): Sandbox {
  const state = readyState(facts, memory);
  let current: Promise<Expected<BubblewrapFacts>> = Promise.resolve({ ok: true, value: facts });
  const again = async (): Promise<Expected<BubblewrapFacts>> => {
    const found = await tryAll();
    if (!found.ok) return refuse(`The command was not run: ${found.problem}.`);
    state.tryOuts.lifeline = found.value.facts.lifeline;
    return { ok: true, value: found.value.facts };
  };
  return {
    kind: "bubblewrap",
    version,
    lacks,
    async contain(request) {
      const now = await current;
      return now.ok ? containInBubblewrap(request, now.value, state) : now;
    },
    startNext: () => state.launcher.start(),
    forgetTryOuts() {
      if (!memory.forget()) return;
      state.tryOuts.known.clear();
      state.covers.clear();
      current = again();
    },
    async overlays(places) {
      const found = await overlaysFor(places, state);
      return found.works ? { works: true } : found;
    },
    async openToSockets(stateDir) {
      const { stage, failed, open } = await coversFor(stateDir, [], state);
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
    filter: facts.filter?.({ setId: "forbidden" }),
    command: ["/bin/sh", "-c", "echo contained"],
  };
  const { command, env, feeds } = sandboxedCommand(
    plan,
    { PATH: "/usr/bin:/bin" },
    { lifeline, limits: facts.limits },
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
  if (said.includes("ulimit")) return "/bin/sh knows no limit for the number of processes";
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
    overlays: () => Promise.resolve({ works: false, because: noOverlays }),
    openToSockets: () => Promise.resolve([]),
  };
}

const none = (because: string): Sandbox => ({ kind: "none", because });
