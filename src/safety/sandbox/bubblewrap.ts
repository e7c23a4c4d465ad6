/** Runs one command in bubblewrap: checks, plans and limits it, and cleans up after it. */

import { realpathSync } from "node:fs";
import { type Expected, errorMessage } from "../../base/expected.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import { cacheFor } from "./cache-directory.ts";
import { type Contained, type Ended, endedWith } from "./contained.ts";
import { environmentFor } from "./environment.ts";
import { openGateway, type Gateway } from "./gateway.ts";
import { type Guard, guardWorkspace } from "./guard.ts";
import { type HomeIndex, indexHome } from "./home-index.ts";
import { unrunHooks } from "./hooks.ts";
import { usualCaps } from "./layer/differences.ts";
import { endLayer } from "./layer/end-layer.ts";
import { dropLayer, type Layer, makeLayer, overLayer } from "./layer/layer.ts";
import { type LayerPlaces, type LayersWork, layersWork, type LayerTrials } from "./layer/trial.ts";
import { ownDirectory, ownMark, ownerVariable, removeLeftovers } from "./leftovers.ts";
import { atItsEnd, type Lifeline, tied } from "./lifeline.ts";
import { type Limits, limited, type ProcessLetter } from "./limits.ts";
import { bubblewrapCommand, type Mount } from "./mounts.ts";
import { type PrivateFiles, privateFiles } from "./own-terminal.ts";
import { planMounts } from "./plan.ts";
import { type Checked, checkRequest, type ContainRequest } from "./request.ts";
import { type Watch, watchOver } from "./watch.ts";
import { type IndexedPlaces, indexWorkspace, type WorkspaceIndex } from "./workspace-index.ts";

export type BubblewrapFacts = {
  program: string;
  limits: Limits;
  letter: ProcessLetter;
  filter?: Uint8Array;
  lifeline?: Lifeline;
};

/** State shared between commands. */
type BubblewrapState = {
  indexes: Map<string, WorkspaceIndex>;
  /** By home and workspace. */
  homes: Map<string, HomeIndex>;
  /** State directories already cleaned of leftovers. */
  cleaned: Set<string>;
  trials: LayerTrials;
};

export const readyState = ({ program, lifeline }: BubblewrapFacts): BubblewrapState => ({
  indexes: new Map(),
  homes: new Map(),
  cleaned: new Set(),
  trials: { program, lifeline, known: new Map() },
});

export async function containInBubblewrap(
  request: ContainRequest,
  facts: BubblewrapFacts,
  state: BubblewrapState,
): Promise<Expected<Contained>> {
  const checked = checkRequest(request);
  if (!checked.ok) return checked;
  try {
    return await contain(checked.value, facts, state);
  } catch (error) {
    const words = errorMessage(error);
    return {
      ok: false,
      problem: `The command was not run, because its sandbox could not be prepared: ${words}`,
    };
  }
}

async function contain(
  request: Checked,
  facts: BubblewrapFacts,
  state: BubblewrapState,
): Promise<Expected<Contained>> {
  cleanUp(request.stateDir, state);
  const index = indexFor(request.workspace, state);
  const found = index.look();
  const layered = await layerFor(request, found, state);
  if (!layered.ok) return layered;
  const layer = layered.value;
  const cache = cacheFor(request);
  const plan = planMounts(request, {
    found,
    secrets: homeFor(request, state).look(),
    temporaryBytes: Math.floor(facts.limits.memoryBytes / 2),
    ...(cache ? { cache } : {}),
    ...(layer ? { merged: layer.merged } : {}),
  });
  if (!plan.ok) {
    if (layer) await dropLayer(layer);
    return plan;
  }
  const guard = guardWorkspace(request, {
    found,
    index,
    git: plan.value.git,
    isLayered: layer !== undefined,
  });
  const gateway = request.profile === "install" ? await openGateway(request) : undefined;
  const mounts = [...plan.value.mounts, ...(gateway?.mounts ?? [])];
  const temporary = mounts.flatMap(({ kind, path }) => (kind === "temporary" ? [path] : []));
  const disk = {
    places: [request.workspace, request.stateDir],
    ...(layer ? { upper: layer.upper } : {}),
  };
  const watch = watchOver({ limits: facts.limits, temporary, disk });
  const files = request.terminal ? privateFiles(request.stateDir) : undefined;
  const parts: Parts = { request, found, layer, guard, gateway, watch, files };
  const env = {
    ...environmentFor(request, cache ?? "/tmp/.cache"),
    [ownerVariable]: ownMark(request.stateDir),
  };
  return {
    ok: true,
    value: {
      ...commandOf(parts, mounts, facts),
      env: gateway ? gateway.variables(env) : env,
      onStart: (pid) => watch.start(pid),
      finished: once(() => finish(parts)),
    },
  };
}

/** Everything prepared for one command. */
type Parts = {
  request: Checked;
  found: IndexedPlaces;
  layer: Layer | undefined;
  guard: Guard;
  gateway: Gateway | undefined;
  watch: Watch;
  files: PrivateFiles | undefined;
};

/** Nests wrapper programs. Each one execs the next, so the process we started ends up being bubblewrap. */
function commandOf(
  { request, layer, gateway, files }: Parts,
  mounts: readonly Mount[],
  facts: BubblewrapFacts,
): Pick<Contained, "command" | "feeds"> {
  const { profile, directory, terminal } = request;
  const { lifeline } = facts;
  const command = gateway ? gateway.behind(request.command) : request.command;
  const { command: bare, feeds } = bubblewrapCommand({
    program: facts.program,
    mounts: files ? files.mounts(mounts) : mounts,
    network: profile === "open",
    asRoot: profile === "open" && process.getuid?.() === 0,
    directory,
    ...atItsEnd(lifeline, layer?.way.options === "-Urm"),
    ...(terminal ? { terminal } : {}),
    ...(facts.filter ? { filter: facts.filter } : {}),
    command: limited(command, facts.limits, facts.letter),
  });
  const layered = layer ? overLayer(layer, bare) : bare;
  const built = lifeline ? tied(lifeline, layered, Math.floor(facts.limits.memoryBytes / 8)) : layered;
  return files ? { command: files.fed(built, feeds), feeds: [] } : { command: built, feeds };
}

/** Undefined if the request wants no layer. */
async function layerFor(
  request: Checked,
  { foreign }: IndexedPlaces,
  state: BubblewrapState,
): Promise<Expected<Layer | undefined>> {
  if (!request.layer || request.profile === "read") return { ok: true, value: undefined };
  const works = await layersWork(request, state.trials, foreign);
  if (works.works) return { ok: true, value: makeLayer(works.way, request) };
  return {
    ok: false,
    problem: `The command was not run, because it cannot run over a layer of the workspace: ${works.because}.`,
  };
}

/** Called before any command: `contain` refuses a layer if this reports that layers do not work. */
export async function layersFor(places: LayerPlaces, state: BubblewrapState): Promise<LayersWork> {
  try {
    makeDirectorySync(places.stateDir, 0o700);
    const stateDir = realpathSync.native(places.stateDir);
    return await layersWork(
      { ...places, stateDir },
      state.trials,
      indexFor(places.workspace, state).look().foreign,
    );
  } catch (error) {
    return { works: false, because: errorMessage(error) };
  }
}

async function finish({ request, found, layer, guard, gateway, watch, files }: Parts): Promise<Ended> {
  const warnings = watch.end();
  if (layer) await watch.over();
  if (gateway) warnings.push(...(await gateway.close()));
  await files?.remove();
  const ended = layer ? await endLayer({ layer, request, found, caps: usualCaps }) : endedWith([]);
  warnings.push(...guard.check(), ...ended.warnings);
  if (request.profile === "git")
    warnings.push(...unrunHooks(request.workspace, request.command.at(-1) ?? ""));
  return { ...ended, warnings };
}

/** Runs `work` on the first call; later calls return the same promise. */
function once(work: () => Promise<Ended>): () => Promise<Ended> {
  let result: Promise<Ended> | undefined;
  return () => (result ??= work());
}

function cleanUp(stateDir: string, { cleaned }: BubblewrapState): void {
  if (cleaned.has(stateDir)) return;
  cleaned.add(stateDir);
  removeLeftovers(stateDir);
  // The sign for the next start that there may be something to clean up.
  makeDirectorySync(ownDirectory(stateDir), 0o700);
}

function indexFor(workspace: string, { indexes }: BubblewrapState): WorkspaceIndex {
  const index = indexes.get(workspace) ?? indexWorkspace(workspace);
  indexes.set(workspace, index);
  return index;
}

function homeFor({ home, workspace }: Checked, { homes }: BubblewrapState): HomeIndex {
  const key = `${home}\0${workspace}`;
  const index = homes.get(key) ?? indexHome(home, workspace);
  homes.set(key, index);
  return index;
}
