/** The caches of one workspace, in the state directory. */

import { join } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import type { Checked } from "./request.ts";

/** Kept per workspace: what one project fetched must not be run by another. Undefined where nothing is kept. */
export function cacheFor({ profile, stateDir, workspace }: Checked): string | undefined {
  if (profile !== "build" && profile !== "install") return undefined;
  const name = sha256(Buffer.from(workspace)).slice(0, 16);
  const cache = join(stateDir, "sandbox", "caches", name);
  makeDirectorySync(cache, 0o700);
  return cache;
}
