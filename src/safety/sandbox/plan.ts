/** Plans each profile's mounts: the root, then emptied trees, the workspace, its protected places, and the masks. */

import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { type Expected, refuse } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import { isDirectory, realPath } from "../on-disk.ts";
import { type Covers, through } from "./covers.ts";
import { ledToByGit } from "./git-led.ts";
import { pinsOf, repositoriesOf, writableGitDirectories } from "./git-places.ts";
import { heldMounts } from "./held-places.ts";
import type { Item } from "./indexed-directory.ts";
import { maskSecrets } from "./masks.ts";
import type { SandboxMount } from "./mounts.ts";
import { type CheckedRequest, usesProxy } from "./request.ts";
import { isReachingVariable, type Secret } from "./secrets.ts";
import { socketsToHide } from "./sockets.ts";
import type { IndexedPlaces } from "./workspace-index.ts";

export type MountPlan = {
  mounts: SandboxMount[];
  /** Git directories that this command may write. */
  git: string[];
  /** What in them it may not. */
  pins: string[];
};

type PlanFacts = {
  found: IndexedPlaces;
  /** Places in the home that hold secrets by rule. */
  secrets: readonly Secret[];
  /** Writable in the sandbox and retained for later commands in this workspace. */
  cache: string | undefined;
  /** Bytes that /tmp and other temporary places may hold. */
  temporaryBytes: number;
  /** Where the command sees the workspace when it runs over an overlay. */
  merged: string | undefined;
  covers: Covers;
  /** Directories elsewhere that this command may write. */
  given: readonly string[];
  /** Sockets in the workspace that somebody listens on. */
  living: readonly string[];
};

/** Mounts cost time, and our own limit gives a clearer error than the kernel's. */
const mostMounts = 1500;

export function planMounts(request: CheckedRequest, facts: PlanFacts): Expected<MountPlan> {
  const git = repositoriesOf(request, facts.found);
  if (!git.ok) return git;
  const emptied = request.profile === "open" ? [] : emptiedTrees();
  const masks = maskSecrets({
    ...request,
    environmentFiles: facts.found.environmentFiles,
    byRule: facts.secrets,
    emptied: emptied.filter((tree) => !isWithin(tree, request.workspace) && !isWithin(tree, request.home)),
    sockets:
      request.profile === "open"
        ? []
        : socketsToHide({
            ...facts,
            workspace: request.workspace,
            emptied,
            bare: [...barePlaces(request, facts, git.value), ...facts.given],
          }),
  });
  if (!masks.ok) return masks;
  const led = ledToByGit(request, facts.found);
  const held = heldMounts({ ...request, held: [...(request.held ?? []), ...led] }, facts.merged);
  const pins = git.value.flatMap(pinsOf);
  const mounts = [
    ...base(request, { ...facts, emptied }),
    ...facts.given.map((path): SandboxMount => ({ kind: "writable", path })),
    // Later mounts cover earlier ones, and the workspace may lie in the state directory or the reverse.
    ...(isWithin(request.stateDir, request.workspace) ? stateMounts(request, facts.cache) : []),
    ...held.above,
    ...workspaceMounts(request, facts, { git: git.value, pins, held: held.inside }),
    ...masks.value.filter((mask) => !isInStateOnly(mask, request)),
    ...(isWithin(request.stateDir, request.workspace) ? [] : stateMounts(request, facts.cache)),
  ];
  if (mounts.length > mostMounts)
    return refuse(
      `The command was not run: the workspace holds ${mounts.length} places that the sandbox must protect, more than ${mostMounts}. Start Toolwright in a smaller directory.`,
    );
  return { ok: true, value: { mounts, git: git.value, pins } };
}

/**
 * True for paths in the state directory and outside the workspace: the state directory is hidden entirely, so they need
 * no mount.
 */
const isInStateOnly = ({ path }: SandboxMount, { stateDir, workspace }: CheckedRequest): boolean =>
  isWithin(stateDir, path) && !isWithin(workspace, path);

/** Directories that hold other programs' temporary files and sockets. */
export function emptiedTrees(): string[] {
  return ["/tmp", "/var/tmp", "/run", "/var/run"].filter(isDirectory);
}

/** NixOS keeps the system's programs reachable through these links below /run. */
const neededLinks = ["/run/current-system", "/run/booted-system", "/run/opengl-driver", "/run/wrappers"];

type BaseFacts = PlanFacts & { emptied: readonly string[] };

function base(
  request: CheckedRequest,
  { emptied, temporaryBytes: bytes, found, covers }: BaseFacts,
): SandboxMount[] {
  const shared: SandboxMount = { kind: "temporary", path: "/dev/shm", bytes, mode: "1777" };
  if (request.profile === "open")
    return [{ kind: "writable", path: "/" }, shared, { kind: "readable", path: "/sys" }];
  const needed = neededLinks.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  return [
    { kind: "readable", path: "/" },
    ...covers.list
      .filter(({ path }) => !emptied.some((tree) => isWithin(tree, path)))
      .map((cover): SandboxMount => ({ kind: "readable", ...cover })),
    shared,
    ...emptied.map((path): SandboxMount => ({ kind: "temporary", path, bytes, mode: "1777" })),
    ...needed.map((path): SandboxMount => ({ kind: "readable", path, from: realpathSync(path) })),
    ...lostPlaces(request, found, emptied).map((path): SandboxMount => ({
      kind: "readable",
      path,
      from: through(covers, path),
    })),
  ];
}

/** What a command needs although it lies in a tree that is emptied. */
export function lostPlaces(
  request: CheckedRequest,
  found: IndexedPlaces,
  emptied: readonly string[],
): string[] {
  const { home, workspace } = request;
  // The forwarder to the proxy runs on the current node binary.
  const wanted = [
    home,
    ...(request.programs ?? []),
    ...toolHomes(request, emptied),
    ...(usesProxy(request) ? [realpathSync(process.execPath)] : []),
  ];
  // Git in a worktree also needs the main repository.
  const repository = writableGitDirectories(workspace, found);
  wanted.push(...(repository.ok ? repository.value.filter((path) => !isWithin(workspace, path)) : []));
  return wanted.filter((path) => emptied.some((tree) => isWithin(tree, path)) && isThere(path));
}

/** Where a variable says that a tool has its parts: `RUSTUP_HOME`, `GOROOT`, `NVM_DIR`, `VIRTUAL_ENV`. */
const namesToolHome =
  /^(?!XDG_|TOOLWRIGHT_)\w+_(?:HOME|ROOT|PREFIX)$|^(?:ASDF|NVM|SDKMAN)_DIR$|^(?:GOROOT|GOPATH|VIRTUAL_ENV)$/;

/** Never such a tree as a whole. The variables are the person's own, as the command receives them. */
function toolHomes({ env }: CheckedRequest, emptied: readonly string[]): string[] {
  return Object.entries(env)
    .filter(([name, value]) => namesToolHome.test(name) && !isReachingVariable(name, value))
    .flatMap(([, value]) => (isAbsolute(value) ? (realPath(value) ?? []) : []))
    .filter((path) => isDirectory(path) && !emptied.some((tree) => isWithin(path, tree)));
}

/** Directories of emptied trees that the command sees all the same, and that are therefore to be covered. */
export function placesToCover(request: CheckedRequest, found: IndexedPlaces): string[] {
  const emptied = emptiedTrees();
  const places = lostPlaces(request, found, emptied);
  if (seesCover(request) && emptied.some((tree) => isWithin(tree, request.workspace)))
    places.push(request.workspace);
  return [...new Set(places)].filter(isDirectory);
}

/**
 * An overlay does not notice that a file below it was replaced, so a program that runs beside the session sees the
 * workspace itself.
 */
const seesCover = ({ profile, terminal }: CheckedRequest): boolean => profile === "read" && !terminal;

function barePlaces(
  request: CheckedRequest,
  { covers, merged }: PlanFacts,
  git: readonly string[],
): readonly string[] {
  const { workspace, overlay } = request;
  if (merged !== undefined) return overlay === "whole" ? [] : git;
  return seesCover(request) && through(covers, workspace) !== workspace ? [] : [workspace];
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Each protected place becomes its own mount, so that it cannot be renamed away either. */
function workspaceMounts(
  request: CheckedRequest,
  facts: PlanFacts,
  { git, pins, held }: { git: readonly string[]; pins: readonly string[]; held: readonly SandboxMount[] },
): SandboxMount[] {
  const { found, merged, covers } = facts;
  const { profile, workspace, overlay } = request;
  const own: SandboxMount = { kind: "writable", path: workspace, from: merged };
  if (profile === "open") {
    const isOwn = merged !== undefined || isWithin(request.stateDir, workspace);
    const repositories = merged === undefined ? [] : openRepositories(request, found);
    return [...(isOwn ? [own] : []), ...held, ...(isOwn ? repositories : [])];
  }
  if (profile === "read")
    return [
      seesCover(request)
        ? { kind: "readable", path: workspace, from: through(covers, workspace) }
        : readable(workspace),
    ];
  const asSeen = (path: string): SandboxMount =>
    merged === undefined || open.has(path)
      ? readable(path)
      : { kind: "readable", path, from: join(merged, relative(workspace, path)) };
  const open = new Set(git);
  const real = overlay === "whole" ? [] : git;
  return [
    own,
    ...held,
    ...[...found.git, ...found.protected]
      .filter(({ path }) => !open.has(path))
      .flatMap((item) => mountable(item, workspace))
      .map(asSeen),
    ...real.map((path): SandboxMount => ({ kind: "writable", path })),
    ...pins.filter((path) => isWithin(workspace, path) || real.length > 0).map(readable),
  ];
}

/**
 * Repositories are written directly instead of through the overlay, except with `whole`, which leaves the workspace
 * unchanged.
 */
function openRepositories({ overlay }: CheckedRequest, found: IndexedPlaces): SandboxMount[] {
  if (overlay === "whole") return [];
  return found.git
    .filter(({ kind }) => kind === "directory")
    .map(({ path }): SandboxMount => ({ kind: "writable", path }));
}

/**
 * A link itself cannot be a mount, but its target can if it lies in the workspace. The link is checked after the
 * command.
 */
function mountable({ path, kind }: Item, workspace: string): string[] {
  if (kind === "directory" || kind === "file") return [path];
  const target = kind === "link" ? realPath(path) : undefined;
  return target !== undefined && isWithin(workspace, target) && target !== workspace ? [target] : [];
}

function stateMounts({ stateDir, workspace }: CheckedRequest, cache: string | undefined): SandboxMount[] {
  if (!isThere(stateDir)) return [];
  return [
    {
      kind: "hidden-directory",
      path: stateDir,
      passable: cache !== undefined || isWithin(stateDir, workspace),
    },
    ...(cache === undefined ? [] : [{ kind: "writable" as const, path: cache }]),
  ];
}

const readable = (path: string): SandboxMount => ({ kind: "readable", path });
