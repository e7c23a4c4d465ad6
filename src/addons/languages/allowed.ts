/** Which servers may run for what a workspace holds, as it is known now. */

import { join, posix } from "node:path";
import type { AddonRoom } from "../part.ts";
import { detect } from "./detect.ts";
import { type KnownServer, type Launch, launchesOf, rootOf, serverOf } from "./launches.ts";

type Allowed = {
  /** Those that a person need not agree to, or has; the others wait for that. */
  all: () => KnownServer[];
  /** Whether one may run for this file, relative to the workspace. */
  isFor: (path: string) => boolean;
};

export function allowedServers(servers: readonly KnownServer[], room: AddonRoom): Allowed {
  /** The ways to start each, as they were found last. */
  const found = new Map<KnownServer, readonly Launch[]>();
  const find = (server: KnownServer, path: string): void => {
    const root = rootOf(server, join(room.workspace, path), room.workspace);
    found.set(server, launchesOf(server, root, room));
  };
  for (const { server, where } of detect(servers, room.workspace)) find(server, posix.join(where, "x"));
  const allowed = new Set<KnownServer>();
  /** A person may have agreed to it meanwhile. */
  const may = (server: KnownServer): boolean => {
    if (allowed.has(server)) return true;
    const launches = found.get(server) ?? [];
    const isAllowed = launches.some(({ needs }) => needs === undefined || room.trust.allows(needs));
    if (isAllowed) allowed.add(server);
    return isAllowed;
  };
  return {
    all: () => [...found.keys()].filter(may),
    isFor(path) {
      const server = serverOf(servers, path);
      if (!server) return false;
      // It may have been installed since the last look, and the workspace may not have held such files before.
      if (!allowed.has(server)) find(server, path);
      return may(server);
    },
  };
}
