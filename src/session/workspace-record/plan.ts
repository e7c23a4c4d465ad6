/** Plans what to read before a command: contents that neither git nor anything else could give back afterwards. */

import type { RecordCaps } from "./caps.ts";
import type { ScanEntry } from "./entry.ts";
import type { GitReader } from "./git-reader.ts";
import type { KnownToGit } from "./known-to-git.ts";
import type { NamedPaths } from "./named-paths.ts";
import type { WorkspaceScan } from "./scan.ts";

export type ReadingPlan = {
  /** In reading order. */
  toRead: string[];
  /** Files and links that cannot be recovered by any means. */
  tooLarge: string[];
  tooMany: string[];
};

type PlanInput = {
  root: string;
  scan: WorkspaceScan;
  known: KnownToGit;
  named: NamedPaths;
  caps: RecordCaps;
  git?: GitReader;
  signal?: AbortSignal;
};

type Candidate = { path: string; entry: ScanEntry };

export async function planReading(surveyed: PlanInput): Promise<ReadingPlan> {
  const { scan, known, caps } = surveyed;
  const plan: ReadingPlan = { toRead: [], tooLarge: [], tooMany: [] };
  const named: Candidate[] = [];
  const others: Candidate[] = [];
  for (const [path, entry] of scan.entries) {
    if (entry.kind !== "file" && entry.kind !== "link") continue;
    if (scan.unlooked.has(path)) continue; // git's own file
    if (known.clean.has(path) && entry.size <= caps.fileBytes) continue;
    (surveyed.named.covers(path) ? named : others).push({ path, entry });
  }
  const context = { bytes: caps.namedBytes, files: caps.namedFiles, largest: caps.fileBytes };
  const left = take(named, context, plan);
  const rest = await byWorth([...left, ...others], surveyed);
  const otherContext = { bytes: caps.otherBytes, files: caps.otherFiles, largest: caps.otherBytes };
  for (const { path, entry } of take(rest, otherContext, plan))
    (entry.size > caps.otherBytes ? plan.tooLarge : plan.tooMany).push(path);
  return plan;
}

type RemainingSpace = { bytes: number; files: number; largest: number };

/** Takes candidates that fit, in order, and returns those that do not. */
function take(candidates: readonly Candidate[], space: RemainingSpace, { toRead }: ReadingPlan): Candidate[] {
  let { bytes, files } = space;
  return candidates.filter(({ path, entry: { size } }) => {
    if (size > Math.min(bytes, space.largest) || files === 0) return true;
    bytes -= size;
    files -= 1;
    toRead.push(path);
    return false;
  });
}

/** Larger files must not crowd out small ones, however new they are. */
const small = 1024 * 1024;

/**
 * Work in progress first: files git tracks, then untracked ones it does not ignore; small ones first, then the newest.
 */
async function byWorth(candidates: readonly Candidate[], surveyed: PlanInput): Promise<Candidate[]> {
  const { root, known, caps, git, signal } = surveyed;
  const bytes = candidates.reduce((sum, { entry }) => sum + entry.size, 0);
  if (bytes <= caps.otherBytes && candidates.length <= caps.otherFiles) return [...candidates];
  const paths = candidates.map(({ path }) => path).filter((path) => !known.modified.has(path));
  const ignored = (await git?.ignored(root, paths, signal)) ?? new Set();
  const worth = ({ path, entry }: Candidate): number =>
    (known.modified.has(path) ? 0 : ignored.has(path) ? 4 : 2) + (entry.size > small ? 1 : 0);
  const ranked = candidates.map((each) => ({ each, worth: worth(each) }));
  ranked.sort((a, b) => a.worth - b.worth || (a.each.entry.modified < b.each.entry.modified ? 1 : -1));
  return ranked.map(({ each }) => each);
}
