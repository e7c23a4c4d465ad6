/** Which new files that a command made hold nothing but what a file of the workspace holds that is no secret. */

import { lstatSync, readFileSync } from "node:fs";
import { mib } from "../../base/bound.ts";
import { sha256 } from "../../base/crypto.ts";
import { isWithin } from "../../base/paths.ts";
import type { Change } from "../../base/safe-fs/image.ts";
import { placeOf } from "../../safety/judge/place.ts";
import type { CallJob } from "./step.ts";

/**
 * `cp .env.example .env`: nothing was there that could be lost, and whoever reads the copy could read the other. That
 * must be older than the session: what was changed since then is not the project's word.
 */
export function copiesIn({ judgement, step }: CallJob, changes: readonly Change[]): string[] {
  const { workspace, home, log } = step.context;
  const since = log.state.turns[0]?.startedAt ?? 0;
  const around = { home, workspace, directory: workspace };
  const hashes = (judgement?.touched ?? [])
    .filter(({ access, path }) => access === "read" && isWithin(workspace, path))
    .filter(({ path }) => placeOf(path, around).secret === undefined)
    .slice(0, mostNamed)
    .map(({ path }) => hashBefore(path, since));
  return changes.flatMap(({ path, before, after }) =>
    before === null && after?.kind === "file" && hashes.includes(after.content.hash) ? [path] : [],
  );
}

const mostNamed = 20;
/** A template that is larger is shown to a person. */
const mostCopied = mib;

function hashBefore(path: string, since: number): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const isPlain = stats?.isFile() === true && stats.nlink === 1 && stats.size <= mostCopied;
  return isPlain && stats.ctimeMs < since ? sha256(readFileSync(path)) : undefined;
}
