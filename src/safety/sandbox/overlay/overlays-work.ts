/** Whether commands can run over an overlay on this machine: tested with a real one, once per pair of devices. */

import { lstatSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomHex } from "../../../base/crypto.ts";
import { attempt, errorMessage } from "../../../base/expected.ts";
import { isWithin } from "../../../base/paths.ts";
import { makeDirectorySync } from "../../../base/safe-fs/own-files.ts";
import { removeTree } from "../../../base/safe-fs/remove-tree.ts";
import { type Lifeline, sandboxedCommand } from "../lifeline.ts";
import { mountsBelow } from "../mount-table.ts";
import type { BubblewrapPlan } from "../mounts.ts";
import { ownDirectory } from "../runs.ts";
import type { TryOutMemory } from "../try-out-memory.ts";
import { outputOf } from "../try-out.ts";
import { fromText } from "./byte-path.ts";
import { dropOverlay, type Overlay, makeOverlay, type NamespaceTools, waysToMount } from "./overlay.ts";
import { viewOf } from "./view.ts";

/** Both absolute and resolved. */
export type OverlayPlaces = { workspace: string; stateDir: string };

export type OverlaysWork = { works: true; way: NamespaceTools } | { works: false; because: string };

export type OverlayTryOuts = {
  /** The path of bubblewrap. */
  program: string;
  /** Ends a trial together with us. */
  lifeline: Lifeline | undefined;
  signal: AbortSignal | undefined;
  /** Results so far, by device pair. */
  known: Map<string, Promise<OverlaysWork>>;
  memory: TryOutMemory;
};

type TryOutTools = Pick<OverlayTryOuts, "program" | "lifeline" | "signal">;

/** `foreign` is a workspace directory owned by a user or group that our user namespace would not map. */
export async function overlaysWork(
  places: OverlayPlaces,
  tryOuts: OverlayTryOuts,
  foreign: string | undefined,
): Promise<OverlaysWork> {
  const obstacle = obstacleIn(places);
  if (obstacle !== undefined) return no(obstacle);
  makeDirectorySync(places.stateDir, 0o700);
  const key = [places.workspace, places.stateDir].map(deviceOf).join(" ");
  const trial = tryOuts.known.get(key) ?? recallOr(places, tryOuts);
  tryOuts.known.set(key, trial);
  const tried = await trial;
  if (tried.works && tried.way.options === "-Urm" && foreign !== undefined)
    return no(`${foreign} belongs to another user or group, and could not be changed there`);
  return tried;
}

const no = (because: string): OverlaysWork => ({ works: false, because });

/** What worked at an earlier start works now. */
async function recallOr(places: OverlayPlaces, tryOuts: OverlayTryOuts): Promise<OverlaysWork> {
  const { workspace, stateDir } = places;
  const kinds = [workspace, stateDir].map((path) => `${path} ${deviceOf(path)} ${statfsSync(path).type}`);
  const name = `layer ${kinds.join(" ")}`;
  const recalled = tryOuts.memory.recall(name);
  const way = waysToMount().find(({ options }) => options === recalled);
  if (way) return { works: true, way };
  const tried = await tryOut(places, tryOuts);
  if (tried.works) tryOuts.memory.keep(name, tried.way.options);
  return tried;
}

const deviceOf = (path: string): string => String(statSync(path).dev);

function obstacleIn({ workspace, stateDir }: OverlayPlaces): string | undefined {
  if (isWithin(workspace, stateDir)) return `Toolwright's own state ${stateDir} lies in the workspace`;
  const mounted = mountsBelow(workspace)[0];
  return mounted && `${mounted.path} in the workspace is a file system of its own`;
}

async function tryOut(places: OverlayPlaces, tools: TryOutTools): Promise<OverlaysWork> {
  const ways = waysToMount();
  let because = "the programs unshare and mount are not installed (package util-linux)";
  for (const way of ways) {
    const said = await tryWay(way, places, tools);
    if (said === undefined) return { works: true, way };
    because = said;
  }
  return no(because);
}

/** Undefined on success, otherwise the problem. */
async function tryWay(
  way: NamespaceTools,
  { workspace, stateDir }: OverlayPlaces,
  tools: TryOutTools,
): Promise<string | undefined> {
  const place = join(ownDirectory(stateDir), `trial-${randomHex(6)}`);
  const overlays: Overlay[] = [];
  try {
    makeDirectorySync(join(place, "full"), 0o700);
    for (const name of ["file", "full/old"]) writeFileSync(join(place, name), "x");
    const own = makeOverlay(way, { workspace: place, stateDir });
    const real = makeOverlay(way, { workspace, stateDir });
    overlays.push(own, real);
    return (
      (await run(own, tools, changing)) ??
      (await whatIsWrong(own)) ??
      (await run(real, tools, "ls -a >/dev/null"))
    );
  } catch (error) {
    return errorMessage(error);
  } finally {
    for (const overlay of overlays) await dropOverlay(overlay);
    attempt(() => removeTree(place)); // or at the next start
  }
}

const changing = "rm file && rm -r full && mkdir full && echo x >full/new && chmod 700 full && echo x >more";

async function run(
  overlay: Overlay,
  { program, lifeline, signal }: TryOutTools,
  line: string,
): Promise<string | undefined> {
  const plan: Omit<BubblewrapPlan, "identity" | "ipc"> = {
    program,
    mounts: [
      { kind: "readable", path: "/" },
      { kind: "writable", path: overlay.workspace, from: overlay.merged },
    ],
    network: "own",
    asRoot: false,
    directory: overlay.workspace,
    command: ["/bin/sh", "-c", line],
  };
  const env = { PATH: "/usr/bin:/bin:/run/current-system/sw/bin" };
  const { command, ...started } = sandboxedCommand(plan, env, { lifeline, stage: overlay });
  const { exit, text } = await outputOf(command, { ...started, signal });
  return exit === 0
    ? undefined
    : `an overlay of it cannot be mounted here (${text.trim().split("\n")[0] ?? ""})`;
}

/** Some file systems accept an overlay's writes but do not record removals. */
async function whatIsWrong(overlay: Overlay): Promise<string | undefined> {
  const view = viewOf(overlay);
  try {
    const isMarked = lstatSync(join(overlay.upper, "file"), { throwIfNoEntry: false })?.isCharacterDevice();
    const left = [...(await view.names(fromText("full")))];
    const isRight = isMarked === true && left.length === 1 && left[0] === "new";
    return isRight ? undefined : "the file system of Toolwright's state directory cannot hold an overlay";
  } finally {
    view.close();
  }
}
