/** What an approved command is given besides its profile: hosts, directories and sockets; and what is given to none. */

import { basename, dirname, isAbsolute, join } from "node:path";
import { type Expected, refuse } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import { protectingRow } from "../executing-places.ts";
import { trustedAtHome } from "../judge/place-rows.ts";
import { directoriesOf, realPath, statusOf } from "../on-disk.ts";
import type { SandboxMount } from "./mounts.ts";
import { type CheckedRequest, usesProxy } from "./request.ts";
import type { IndexedPlaces } from "./workspace-index.ts";

/** All paths are resolved. `hosts` is undefined if none were given: the registries then stay. */
export type GivenOutside = {
  hosts: readonly string[] | undefined;
  directories: readonly string[];
  sockets: readonly string[];
};

const nothingGiven: GivenOutside = { hosts: undefined, directories: [], sockets: [] };

export function givenOutside(request: CheckedRequest, found: IndexedPlaces): Expected<GivenOutside> {
  const { outside = [], profile } = request;
  if (outside.length === 0 || profile === "open") return { ok: true, value: nothingGiven };
  const hosts = outside.filter((words) => !isAbsolute(words));
  if (hosts.length > 0 && !usesProxy(request))
    return cannotGive(`only the profiles install and git can reach a host, and it was to run in ${profile}`);
  const [directories, sockets]: [string[], string[]] = [[], []];
  for (const words of outside.filter(isAbsolute)) {
    const path = realPath(words);
    const status = path === undefined ? undefined : statusOf(path);
    if (path === undefined || !status)
      return cannotGive(`${words} is not there; make it first, or name the directory above it`);
    // Whoever agreed was shown these words, and a link may have been exchanged since.
    if (path !== words) return cannotGive(`${words} leads to ${path}; name that`);
    if (status.isSocket()) sockets.push(path);
    else if (!status.isDirectory())
      return cannotGive(`${words} is neither a directory nor a socket; name its directory`);
    else {
      const problem = directoryProblem(path, request, found);
      if (problem !== undefined) return cannotGive(`${words} ${problem}`);
      directories.push(path);
    }
  }
  return { ok: true, value: { hosts: hosts.length > 0 ? hosts : undefined, directories, sockets } };
}

/** Why a directory is never made writable for a contained command, whoever agreed. `found`: what the workspace holds. */
export function directoryProblem(
  path: string,
  { home, stateDir, workspace, profile }: Pick<CheckedRequest, "home" | "stateDir" | "workspace" | "profile">,
  found: Pick<IndexedPlaces, "git" | "protected">,
): string | undefined {
  const holds = [home, stateDir].find((one) => isWithin(path, one));
  if (holds !== undefined) return `holds ${holds}; name a directory further down`;
  if (isWithin(stateDir, path) && !isWithin(workspace, path)) return "is Toolwright's own state";
  if (systemTrees.some((tree) => isWithin(tree, path) || isWithin(path, tree)))
    return "belongs to the system";
  if (isWithin(workspace, path) && profile !== "read")
    return [...found.git, ...found.protected].some((item) => isWithin(item.path, path))
      ? "is a protected place of the workspace"
      : undefined;
  if (isWithin(path, workspace)) return "holds the workspace; name a directory further down";
  const executing = isWithin(workspace, path) ? undefined : executingPlace(path, home);
  return executing === undefined ? undefined : `is or holds a place that makes programs run (${executing})`;
}

/** Whatever the profile: what is written there runs as the person, or as everybody, or is the kernel's. */
const systemTrees = [
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/lib",
  "/lib32",
  "/lib64",
  "/proc",
  "/run",
  "/sbin",
  "/sys",
  "/usr",
  "/var/lib",
  "/var/run",
  "/var/spool",
];

/** A place that is the directory, holds it, or lies in it, as far as a look into the nearest directories tells. */
function executingPlace(path: string, home: string): string | undefined {
  const atHome = trustedAtHome
    .map((row) => join(home, row.path.replace(/[^/]*\*.*$/u, "")))
    .find((place) => isWithin(path, place) || isWithin(place, path));
  return atHome ?? above(path).find(isExecuting) ?? executingIn(path);
}

const isExecuting = (path: string): boolean =>
  basename(path).toLowerCase() === ".git" || protectingRow(path) !== undefined;

const above = (path: string): string[] => (dirname(path) === path ? [] : [path, ...above(dirname(path))]);

function executingIn(path: string): string | undefined {
  for (const { directory, entries } of directoriesOf([path], { most: mostLooked })) {
    const found = entries.map(({ name }) => join(directory, name)).find(isExecuting);
    if (found !== undefined) return found;
  }
  return undefined;
}

const mostLooked = 500;

/** The plan's mounts with the sockets, unless one of them or a directory lies in a hidden place. */
export function withSockets(
  mounts: readonly SandboxMount[],
  { directories, sockets }: GivenOutside,
): Expected<SandboxMount[]> {
  const visible = mounts.filter(({ kind, path }) => kind !== "hidden-file" || !sockets.includes(path));
  const hidden = visible.filter(({ kind }) => kind === "hidden-file" || kind === "hidden-directory");
  for (const path of [...directories, ...sockets]) {
    const place = hidden.find((one) => isWithin(one.path, path));
    if (place) return cannotGive(`${path} lies in ${place.path}, which is hidden from commands`);
  }
  return {
    ok: true,
    value: [...visible, ...sockets.map((path): SandboxMount => ({ kind: "writable", path }))],
  };
}

const cannotGive = (because: string): Expected<never> =>
  refuse(`The command was not run, because it cannot be given that: ${because}.`);
