/** Tracks which language servers may run in this workspace. */

import { join, posix } from "node:path";
import type { AddonContext } from "../part.ts";
import { detect } from "./detect.ts";
import { type KnownLanguageServer, type Launch, launchesOf, rootOf, serverOf } from "./launches.ts";

type AllowedServers = {
  /** Servers that need no consent or have it; the others are put on the waiting list. */
  all: () => KnownLanguageServer[];
  /** Whether a server may run for this file, given relative to the workspace. */
  isFor: (path: string) => boolean;
};

export function allowedServers(
  servers: readonly KnownLanguageServer[],
  context: AddonContext,
): AllowedServers {
  /** The possible launches of each server, as last determined. */
  const found = new Map<KnownLanguageServer, readonly Launch[]>();
  const find = (server: KnownLanguageServer, path: string): void => {
    const root = rootOf(server, join(context.workspace, path), context.workspace);
    found.set(server, launchesOf(server, root, context));
  };
  for (const { server, where } of detect(servers, context.workspace)) find(server, posix.join(where, "x"));
  const allowed = new Set<KnownLanguageServer>();
  /** A person may have consented since the last check. */
  const may = (server: KnownLanguageServer): boolean => {
    if (allowed.has(server)) return true;
    const launches = found.get(server) ?? [];
    const isAllowed = launches.some(({ needs }) => needs === undefined || context.trust.allows(needs));
    if (isAllowed) allowed.add(server);
    return isAllowed;
  };
  return {
    all: () => [...found.keys()].filter(may),
    isFor(path) {
      const server = serverOf(servers, path);
      if (!server) return false;
      // Since the last check the server may have been installed, or the first file of this kind added.
      if (!allowed.has(server)) find(server, path);
      return may(server);
    },
  };
}
