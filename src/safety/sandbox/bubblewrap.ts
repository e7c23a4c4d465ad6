/** Runs one command in bubblewrap: checks, plans and limits it, and cleans up after it. */

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { once } from "../../base/async.ts";
import { randomHex } from "../../base/crypto.ts";
import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import { unseenProcesses } from "../refusals.ts";
import { cacheFor } from "./caches.ts";
import { type ContainedRun, endedWith, type SandboxOutcome } from "./contained-run.ts";
import { type Covers, coversFor, type KnownCovers, noCovers } from "./covers.ts";
import { environmentFor } from "./environment.ts";
import type { FilledLook } from "./filled-directories.ts";
import { behindForwarder, withProxy } from "./forwarder.ts";
import { openGateway, type NetworkGateway } from "./gateway.ts";
import type { GitSetting } from "./git-programs.ts";
import { type GivenOutside, givenOutside, withSockets } from "./given-outside.ts";
import { type Guard, guardWorkspace, socketWarning } from "./guard.ts";
import { knownHome } from "./home-index.ts";
import { gitSettings } from "./known-repositories.ts";
import { ownMark, ownerVariable } from "./left-running.ts";
import { removeLeftoversOnce, type LeftoversTold } from "./leftovers.ts";
import { type Lifeline, sandboxedCommand } from "./lifeline.ts";
import { isShown } from "./masks.ts";
import { endOverlay } from "./overlay/end-overlay.ts";
import { dropOverlay, type Overlay, makeOverlay } from "./overlay/overlay.ts";
import {
  type OverlayPlaces,
  type OverlaysWork,
  overlaysWork,
  type OverlayTryOuts,
} from "./overlay/overlays-work.ts";
import { type PrivateFiles, privateFiles } from "./own-terminal.ts";
import { placesToCover, type MountPlan, planMounts } from "./plan.ts";
import type { ProcessLimits } from "./process-limits.ts";
import { keepRecord, type PutBack } from "./put-back.ts";
import { observe, type Observing } from "./refusal-record.ts";
import { type CheckedRequest, checkRequest, type ContainRequest, usesProxy } from "./request.ts";
import { ownDirectory } from "./runs.ts";
import type { Filtering } from "./seccomp.ts";
import { livingSockets, socketsInWorkspace } from "./sockets.ts";
import { noTryOutMemory, type TryOutMemory } from "./try-out-memory.ts";
import { unrunPrograms } from "./unrun-programs.ts";
import { type WaitingLauncher, waitingLauncher } from "./waiting-launcher.ts";
import { type Watch, watchOver } from "./watch.ts";
import { type IndexedPlaces, knownWorkspace, withSecrets, type WorkspaceIndex } from "./workspace-index.ts";

export type BubblewrapFacts = {
  program: string;
  limits: ProcessLimits;
  filter?: (filtering: Filtering) => Uint8Array;
  lifeline?: Lifeline;
  /** Ends trials. */
  signal?: AbortSignal;
};

/** State shared between commands. */
type BubblewrapState = {
  told: LeftoversTold;
  tryOuts: OverlayTryOuts;
  covers: KnownCovers;
  launcher: WaitingLauncher;
};

export const readyState = (
  { program, lifeline, signal }: BubblewrapFacts,
  memory: TryOutMemory = noTryOutMemory,
): BubblewrapState => ({
  told: new Map(),
  tryOuts: { program, lifeline, signal, known: new Map(), memory },
  covers: new Map(),
  launcher: waitingLauncher(signal),
});

export async function containInBubblewrap(
  request: ContainRequest,
  facts: BubblewrapFacts,
  state: BubblewrapState,
): Promise<Expected<ContainedRun>> {
  const checked = checkRequest(request);
  if (!checked.ok) return checked;
  try {
    return await contain(checked.value, facts, state);
  } catch (error) {
    return refuse(
      `The command was not run, because its sandbox could not be prepared: ${errorMessage(error)}`,
    );
  }
}

async function contain(
  request: CheckedRequest,
  facts: BubblewrapFacts,
  state: BubblewrapState,
): Promise<Expected<ContainedRun>> {
  const left = removeLeftoversOnce(request, state.told);
  const index = knownWorkspace(request.workspace);
  const indexed = index.look();
  const given = givenOutside(request, indexed);
  if (!given.ok) return given;
  const covers = await coversOf(request, indexed, state);
  const filled = await index.lookIntoFilled(indexed);
  const overlaid = await overlayFor(request, { found: indexed, covers, filled }, state);
  if (!overlaid.ok) return overlaid;
  const overlay = overlaid.value;
  // The overlay hides them itself.
  const found = overlay ? indexed : withSecrets(indexed, filled);
  const seen = { found, covers, overlay, cache: cacheFor(request), given: given.value };
  const plan = await planFor(request, facts, seen);
  if (!plan.ok) {
    if (overlay) await dropOverlay(overlay);
    return plan;
  }
  const guarded = guardFor(request, index, { found, overlay, plan: plan.value });
  const prepared = { ...seen, ...plan.value, ...guarded, request, left, filled };
  return { ok: true, value: await prepareRun(prepared, facts, state.launcher) };
}

type Observations = {
  found: IndexedPlaces;
  covers: Covers;
  overlay: Overlay | undefined;
  cache: string | undefined;
  given: GivenOutside;
};

type CommandPlan = MountPlan & { settings: readonly GitSetting[] };

type PreparedCommand = Observations &
  CommandPlan & {
    request: CheckedRequest;
    /** What was to be told of earlier commands. */
    left: readonly string[];
    filled: FilledLook;
    guard: Guard;
    kept: PutBack;
  };

/** Also what runs beside it. */
type RunningParts = PreparedCommand & {
  gateway: NetworkGateway | undefined;
  observing: Observing | undefined;
  watch: Watch;
  files: PrivateFiles | undefined;
  hidden: readonly string[];
};

/** Opens and starts what a command needs beside it while it runs. */
async function prepareRun(
  prepared: PreparedCommand,
  facts: BubblewrapFacts,
  launcher: WaitingLauncher,
): Promise<ContainedRun> {
  const { request, overlay, settings, cache, given } = prepared;
  const gateway = usesProxy(request) ? await openGateway(request, given.hosts) : undefined;
  const observing = observe(request, facts.lifeline);
  const mounts = [
    ...prepared.mounts,
    ...(gateway ? [gateway.mount] : []),
    ...(observing ? [observing.mount] : []),
  ];
  const temporary = mounts.flatMap(({ kind, path }) => (kind === "temporary" ? [path] : []));
  const disk = { places: [request.workspace, request.stateDir], upper: overlay?.upper };
  const watch = watchOver({ limits: facts.limits, temporary, disk });
  const files = request.terminal ? privateFiles(request.stateDir) : undefined;
  const hidden = mounts.flatMap(({ kind, path }) => (kind.startsWith("hidden-") ? [path] : []));
  const parts: RunningParts = { ...prepared, mounts, gateway, observing, watch, files, hidden };
  const env = {
    ...environmentFor(request, cache ?? "/tmp/.cache", settings),
    [ownerVariable]: ownMark(request.stateDir),
  };
  return {
    ...commandOf(parts, gateway ? withProxy(env) : env, { ...facts, launcher }),
    onStart: (pid) => watch.start(pid),
    repositories: prepared.git,
    finished: once(() => finish(parts)),
    drop: overlay && (() => drop(parts, overlay)),
  };
}

/** What stands there before the command; on disk, too, for the next start if we are killed. */
function guardFor(
  request: CheckedRequest,
  index: WorkspaceIndex,
  { found, overlay, plan }: Pick<Observations, "found" | "overlay"> & { plan: MountPlan },
): Pick<PreparedCommand, "guard" | "kept"> {
  const guard = guardWorkspace(request, {
    found,
    index,
    // An overlay that is kept whole holds the repositories, too.
    git: request.overlay === "whole" ? [] : plan.git,
    mounted: plan.pins,
    isOverlaid: overlay !== undefined,
  });
  const own = join(ownDirectory(request.stateDir), `command-${randomHex(6)}`);
  return { guard, kept: keepRecord(request, { guard, own }) };
}

const coversOf = async (
  request: CheckedRequest,
  found: IndexedPlaces,
  state: BubblewrapState,
): Promise<Covers> =>
  request.profile === "open" ? noCovers : coversFor(request.stateDir, placesToCover(request, found), state);

async function planFor(
  request: CheckedRequest,
  { limits }: BubblewrapFacts,
  { found, covers, overlay, cache, given }: Observations,
): Promise<Expected<CommandPlan>> {
  const isOnlyOverlay = request.profile === "open" || (overlay !== undefined && request.profile !== "git");
  const plan = planMounts(request, {
    found,
    secrets: knownHome(request.home, request.workspace).look(),
    temporaryBytes: Math.floor(limits.memoryBytes / 2),
    cache,
    merged: overlay?.merged,
    covers,
    given: given.directories,
    living: isOnlyOverlay ? [] : await livingSockets(socketsInWorkspace(found)),
  });
  if (!plan.ok) return plan;
  const mounts = withSockets(plan.value.mounts, given);
  if (!mounts.ok) return mounts;
  const settings = await gitSettings(request, found, plan.value.git);
  return settings.ok
    ? { ok: true, value: { ...plan.value, mounts: mounts.value, settings: settings.value } }
    : settings;
}

/** Nests wrapper programs. */
function commandOf(
  parts: RunningParts,
  env: Record<string, string>,
  { launcher, ...facts }: BubblewrapFacts & { launcher: WaitingLauncher },
): Pick<ContainedRun, "command" | "env" | "feeds" | "guarded" | "joinsErrors" | "waiting"> {
  const { request, mounts, covers, overlay, gateway, observing, files, watch } = parts;
  const { profile, directory, terminal } = request;
  const surroundings = {
    lifeline: facts.lifeline,
    stage: overlay ?? covers.stage,
    sharedBytes: Math.floor(facts.limits.memoryBytes / 8),
    limits: { ...facts.limits, fileBytes: Math.min(facts.limits.fileBytes, watch.largestFile) },
    observed: observing?.words,
    joinsErrors: !terminal,
  };
  const plan = {
    program: facts.program,
    mounts: files ? files.mounts(mounts) : mounts,
    network: profile === "open" ? ("shared" as const) : ("own" as const),
    asRoot: profile === "open" && process.getuid?.() === 0,
    directory,
    terminal,
    filter: facts.filter?.({ setId: setIdFor(parts) }),
    command: gateway ? behindForwarder(request.command) : request.command,
  };
  const { later, ...started } = sandboxedCommand(plan, env, surroundings);
  const guarded = facts.lifeline === undefined;
  if (files) return { ...started, command: files.fed(started.command, started.feeds), feeds: [], guarded };
  if (!later || profile === "open") return { ...started, guarded };
  launcher.learn(started);
  return { ...started, guarded, waiting: () => launcher.take(started, later()) };
}

/** An overlay loses the bits when it is read, so that unpacking and installing work there; `git` also writes directly. */
const setIdFor = ({ request: { profile }, overlay }: PreparedCommand): Filtering["setId"] =>
  profile === "open" || (overlay && profile !== "git") ? "allowed" : "forbidden";

/** Undefined if the request wants no overlay. */
async function overlayFor(
  request: CheckedRequest,
  { found, covers, filled }: { found: IndexedPlaces; covers: Covers; filled: FilledLook },
  state: BubblewrapState,
): Promise<Expected<Overlay | undefined>> {
  if (!request.overlay || request.profile === "read") return { ok: true, value: undefined };
  const works = await overlaysWork(request, state.tryOuts, found.foreign);
  const hidden = filled.secrets.filter((path) => !isShown(path, request));
  if (works.works)
    return { ok: true, value: makeOverlay(works.way, request, { others: covers.lines, hidden }) };
  return refuse(
    `The command was not run, because it cannot run over a layer of the workspace: ${works.because}.`,
  );
}

/** Called before any command: `contain` refuses an overlay if this reports that overlays do not work. */
export async function overlaysFor(places: OverlayPlaces, state: BubblewrapState): Promise<OverlaysWork> {
  try {
    makeDirectorySync(places.stateDir, 0o700);
    const stateDir = realpathSync.native(places.stateDir);
    return await overlaysWork(
      { ...places, stateDir },
      state.tryOuts,
      knownWorkspace(places.workspace).look().foreign,
    );
  } catch (error) {
    return { works: false, because: errorMessage(error) };
  }
}

async function finish(parts: RunningParts): Promise<SandboxOutcome> {
  const { request, found, overlay, left, filled, guard, kept } = parts;
  const { gateway, observing, watch, files, settings, hidden } = parts;
  const warnings = [...left, ...filled.tell(), ...watch.end()];
  if (overlay) await watch.over();
  if (gateway) warnings.push(...(await gateway.close()));
  await files?.remove();
  const ended = overlay ? await endOverlay({ overlay, request, found }) : endedWith([]);
  const reachable = await livingSockets(guard.newSockets());
  const { keep, settled } = ended;
  let restored: string[] | undefined;
  const restore = (): string[] => (restored ??= kept.restore());
  // What git arranged is judged once all of it is in the workspace: a worktree is two places.
  const guarded = keep && {
    keep: async () => [...(await keep()), ...restore()],
    settled: () => (restore(), settled()),
  };
  warnings.push(
    ...(guarded ? [] : restore()),
    ...ended.warnings,
    ...reachable.map((path) => socketWarning(request, path)),
  );
  if (request.profile !== "open") warnings.push(...unseenProcesses(request.command.at(-1) ?? ""));
  warnings.push(...unrunPrograms(request, settings));
  return { ...ended, ...guarded, refused: observing?.end(), hidden, warnings };
}

/** Nothing of it is in the workspace, so there is nothing to look for there. */
async function drop(
  { gateway, observing, watch, files, kept }: RunningParts,
  overlay: Overlay,
): Promise<void> {
  watch.end();
  await watch.over();
  await gateway?.close();
  await files?.remove();
  kept.restore();
  observing?.end();
  await dropOverlay(overlay);
}
