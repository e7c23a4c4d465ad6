/** Locates one workspace's caches in the state directory. */

import { join } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import type { CheckedRequest } from "./request.ts";

/** One cache per workspace: code fetched by one project must not run in another. Undefined if nothing is cached. */
export function cacheFor({ profile, stateDir, workspace }: CheckedRequest): string | undefined {
  if (profile !== "build" && profile !== "install") return undefined;
  const name = sha256(Buffer.from(workspace)).slice(0, 16);
  const cache = join(stateDir, "sandbox", "caches", name);
  makeDirectorySync(cache, 0o700);
  return cache;
}
