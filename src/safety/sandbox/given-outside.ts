/** What an approved command is given besides its profile: hosts, directories and sockets; and what is given to none. */

import { isAbsolute } from "node:path";
import type { Expected } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import { realPath, statusOf } from "../on-disk.ts";
import type { Mount } from "./mounts.ts";
import type { Checked } from "./request.ts";
import type { IndexedPlaces } from "./workspace-index.ts";

/** All paths are resolved. `hosts` is undefined if none were given: the registries then stay. */
export type GivenOutside = {
  hosts: readonly string[] | undefined;
  directories: readonly string[];
  sockets: readonly string[];
};

const nothingGiven: GivenOutside = { hosts: undefined, directories: [], sockets: [] };

export function givenOutside(request: Checked, found: IndexedPlaces): Expected<GivenOutside> {
  const { outside = [], profile } = request;
  if (outside.length === 0 || profile === "open") return { ok: true, value: nothingGiven };
  const hosts = outside.filter((words) => !isAbsolute(words));
  if (hosts.length > 0 && profile !== "install")
    return refuse(`only the profile install can reach a host, and it was to run in ${profile}`);
  const [directories, sockets]: [string[], string[]] = [[], []];
  for (const words of outside.filter(isAbsolute)) {
    const path = realPath(words);
    const status = path === undefined ? undefined : statusOf(path);
    if (path === undefined || !status)
      return refuse(`${words} is not there; make it first, or name the directory above it`);
    if (status.isSocket()) sockets.push(path);
    else if (!status.isDirectory())
      return refuse(`${words} is neither a directory nor a socket; name its directory`);
    else {
      const problem = directoryProblem(path, request, found);
      if (problem !== undefined) return refuse(`${words} ${problem}`);
      directories.push(path);
    }
  }
  return { ok: true, value: { hosts: hosts.length > 0 ? hosts : undefined, directories, sockets } };
}

/** Why a directory is never made writable for a contained command, whoever agreed. */
function directoryProblem(
  path: string,
  { home, stateDir, workspace, profile }: Checked,
  found: IndexedPlaces,
): string | undefined {
  const holds = [home, stateDir].find((one) => isWithin(path, one));
  if (holds !== undefined) return `holds ${holds}; name a directory further down`;
  if (isWithin(stateDir, path) && !isWithin(workspace, path)) return "is Toolwright's own state";
  if (isWithin(workspace, path) && profile !== "read")
    return [...found.git, ...found.protected].some((item) => isWithin(item.path, path))
      ? "is a protected place of the workspace"
      : undefined;
  return isWithin(path, workspace) ? "holds the workspace; name a directory further down" : undefined;
}

/** The plan's mounts with the sockets, unless one of them or a directory lies in a hidden place. */
export function withSockets(
  mounts: readonly Mount[],
  { directories, sockets }: GivenOutside,
): Expected<Mount[]> {
  const visible = mounts.filter(({ kind, path }) => kind !== "hidden-file" || !sockets.includes(path));
  const hidden = visible.filter(({ kind }) => kind === "hidden-file" || kind === "hidden-directory");
  for (const path of [...directories, ...sockets]) {
    const place = hidden.find((one) => isWithin(one.path, path));
    if (place) return refuse(`${path} lies in ${place.path}, which is hidden from commands`);
  }
  return { ok: true, value: [...visible, ...sockets.map((path): Mount => ({ kind: "writable", path }))] };
}

const refuse = (because: string): Expected<never> => ({
  ok: false,
  problem: `The command was not run, because it cannot be given that: ${because}.`,
});
