/**
 * Records a command's changes to the workspace when no overlay separates them: a scan before and after, plus only the
 * contents that nothing else could give back.
 */

import { sleep } from "../../base/async.ts";
import type { Change } from "../../base/safe-fs/image.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { type RecordCaps, defaultCaps } from "./caps.ts";
import { capture, type CapturedImages } from "./capture.ts";
import { differencesOf } from "./differences.ts";
import type { GitReader } from "./git-reader.ts";
import { imagesAfter } from "./images-after.ts";
import { imagesBefore } from "./images-before.ts";
import { type KnownToGit, knownToGit } from "./known-to-git.ts";
import { type NamedPaths, readNames } from "./named-paths.ts";
import { type ReadingPlan, planReading } from "./plan.ts";
import { type WorkspaceScan, scanTree } from "./scan.ts";
import { settle } from "./settle.ts";
import { gapsInWords, namedFew } from "./words.ts";

export type RecordOptions = {
  /** Workspace-relative files and directories the command appears to write or delete; may contain patterns. */
  named: readonly string[];
  git?: GitReader;
  signal: AbortSignal;
  caps?: Partial<RecordCaps>;
  /** Contents read before earlier commands: filled here, and reused for files untouched since. */
  remembered?: CapturedImages;
};

export type CommandRecord = {
  /** What could not be undone if the command changed it, a line for each kind of thing; empty if there are no gaps. */
  gaps: string[];
  /**
   * Call once, after the command. The changes are on disk; their images can be read later. `uncovered`: changed paths
   * that cannot be restored, the first few by name. `truncated`: the scan hit its limit.
   */
  changes(): Promise<{ changes: Change[]; uncovered: string[]; truncated: boolean }>;
};

/** Throws only the signal's reason. */
export async function recordWorkspace(tree: Tree, options: RecordOptions): Promise<CommandRecord> {
  const since = BigInt(Date.now()) * 1_000_000n;
  const survey = await surveyWorkspace(tree, options);
  const { scan, known, plan, caps, named } = survey;
  const { git, signal, remembered = new Map() } = options;
  const captured = await capture(plan.toRead, { tree, scan, caps, remembered, signal });
  remember(captured, remembered);
  await clockGoesOn(scan, signal);
  const unread = plan.toRead.filter((path) => scan.entries.has(path) && !captured.has(path));
  return {
    gaps: gapsInWords({ ...survey, unread }),
    async changes() {
      const after = await scanTree(tree.root, { limit: caps.entries, named: named.paths, before: scan });
      const differences = differencesOf(scan, after, since);
      const sources = { tree, captured, clean: known.clean, caps, git };
      const standing = await imagesAfter(differences.known, sources);
      const stood = await imagesBefore(differences.known, standing, sources);
      const { changes, uncovered } = settle(differences, stood, standing);
      return {
        changes,
        uncovered: namedFew(uncovered),
        truncated: scan.truncated || after.truncated,
      };
    },
  };
}

type WorkspaceSurvey = {
  scan: WorkspaceScan;
  known: KnownToGit;
  plan: ReadingPlan;
  caps: RecordCaps;
  named: NamedPaths;
};

async function surveyWorkspace({ root }: Tree, options: RecordOptions): Promise<WorkspaceSurvey> {
  const { git, signal } = options;
  const caps = { ...defaultCaps, ...options.caps };
  const named = readNames(options.named);
  const scan = await scanTree(root, { limit: caps.entries, named: named.paths, signal });
  const asked = { root, scan, named, signal, git };
  const known = await knownToGit(asked);
  signal.throwIfAborted();
  const plan = await planReading({ ...asked, known, caps });
  return { scan, known, plan, caps, named };
}

function remember(captured: CapturedImages, remembered: CapturedImages): void {
  remembered.clear();
  for (const [path, each] of captured) remembered.set(path, each);
}

const tickMs = 20;

/**
 * A file changed twice within one tick of the file system's clock may look unchanged, so the command must wait for the
 * next tick.
 */
async function clockGoesOn({ entries }: WorkspaceScan, signal: AbortSignal): Promise<void> {
  let newest = 0n;
  for (const { changed } of entries.values()) if (changed > newest) newest = changed;
  const sinceMs = Date.now() - Number(newest / 1_000_000n);
  if (sinceMs >= 0 && sinceMs < tickMs) await sleep(tickMs - sinceMs, signal);
}
