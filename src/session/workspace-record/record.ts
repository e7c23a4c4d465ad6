/**
 * Records a command's changes to the workspace when no overlay separates them: a scan before and after, plus only the
 * contents that nothing else could give back.
 */

import { sizeInWords } from "../../base/amounts.ts";
import { sleep } from "../../base/async.ts";
import { type Change, isSameImage } from "../../base/safe-fs/image.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { type RecordCaps, defaultCaps } from "./caps.ts";
import { capture, type CapturedImages } from "./capture.ts";
import { differencesOf, type ScanDifference, type ScanDifferences } from "./differences.ts";
import type { GitReader } from "./git-reader.ts";
import { imagesAfter, type Images } from "./images-after.ts";
import { imagesBefore } from "./images-before.ts";
import { type KnownToGit, knownToGit } from "./known-to-git.ts";
import { ancestorsOf } from "./left-out.ts";
import { type NamedPaths, readNames } from "./named-paths.ts";
import { type ReadingPlan, planReading } from "./plan.ts";
import { type WorkspaceScan, scanTree, type SkipReason } from "./scan.ts";

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

type SettledChanges = {
  /** Ordered by path. */
  changes: Change[];
  uncovered: string[];
};

/** Turns images before and after into changes that can be undone, and lists paths for which that is impossible. */
function settle({ known, unknown }: ScanDifferences, before: Images, after: Images): SettledChanges {
  const uncovered = new Map(unknown.map((each) => [each.path, each]));
  const changes: { change: Change; difference: ScanDifference }[] = [];
  for (const difference of known) {
    const { path } = difference;
    const [was, is] = [before.get(path), after.get(path)];
    if (was === undefined || is === undefined) uncovered.set(path, difference);
    else if (!isSameImage(was, is)) changes.push({ change: { path, before: was, after: is }, difference });
  }
  const inTheWay = obstacles([...uncovered.values()]);
  const kept: Change[] = [];
  for (const { change, difference } of changes) {
    const verdict = inTheWay(change);
    if (verdict === "free") kept.push(change);
    else if (verdict === "blocked") uncovered.set(change.path, difference);
  }
  return { changes: kept, uncovered: [...uncovered.keys()].sort() };
}

/**
 * Paths that cannot be undone will remain: no directory above them can be removed, and nothing can be put below one
 * that is not a directory. "stays": a new directory, which replaced nothing and so loses nothing.
 */
function obstacles(standing: readonly ScanDifference[]): (change: Change) => "free" | "blocked" | "stays" {
  const still = standing.filter(({ is }) => is);
  const above = new Set(still.flatMap(({ path }) => ancestorsOf(path)));
  const solid = new Set(still.filter(({ is }) => is?.kind !== "directory").map(({ path }) => path));
  return ({ path, before, after }) => {
    if (solid.size > 0 && ancestorsOf(path).some((each) => solid.has(each))) return "blocked";
    const isNewDirectory = after?.kind === "directory" && before?.kind !== "directory";
    if (!isNewDirectory || !above.has(path)) return "free";
    return before === null ? "stays" : "blocked";
  };
}

type Gaps = { plan: ReadingPlan; scan: WorkspaceScan; caps: RecordCaps; unread?: readonly string[] };

/** Before the command: one line for each kind of thing that undo could not restore; empty if there is none. */
function gapsInWords({ plan, scan, caps, unread = [] }: Gaps): string[] {
  const unlooked = (why: SkipReason): string[] =>
    [...scan.unlooked].filter(([, each]) => each === why).map(([path]) => path);
  const odd = [...scan.entries].filter(([, { kind }]) => kind === "other").map(([path]) => path);
  return [
    countedPaths(plan.tooLarge, [`over ${sizeInWords(caps.otherBytes)}`, "file", "files"]),
    countedPaths(plan.tooMany, [`more than fit in ${sizeInWords(caps.otherBytes)}`, "file", "files"]),
    countedPaths(unread, ["that cannot be read", "file", "files"]),
    countedPaths(odd, ["that cannot be kept", "socket, device or odd name", "sockets, devices or odd names"]),
    countedPaths(unlooked("full"), [
      `beyond the first ${caps.entries.toLocaleString("en")} files`,
      "directory",
      "directories",
    ]),
    countedPaths(unlooked("closed"), ["that cannot be read", "directory", "directories"]),
    ...namedFew(unlooked("installed")),
    ...namedFew(unlooked("git")),
  ].flatMap((line) => line ?? []);
}

function countedPaths(
  paths: readonly string[],
  [what, one, many]: readonly [string, string, string],
): string | undefined {
  if (paths.length === 0) return undefined;
  const count = `${paths.length.toLocaleString("en")} ${paths.length === 1 ? one : many}`;
  return `${count} ${what} (${namedFew(paths.toSorted(), 3).join(", ")})`;
}

const mostNamed = 20;

/** The first few by name, then how many more. */
function namedFew(paths: readonly string[], most = mostNamed): string[] {
  const named = paths.slice(0, most).map(shownPath);
  const more = paths.length - named.length;
  return more === 0 ? named : [...named, `and ${more.toLocaleString("en")} more`];
}

/** Unchanged if plain; otherwise quoted, as a name could contain marks that make it look like another, or like two. */
function shownPath(path: string): string {
  const plain = path.replaceAll("\0", "");
  return /[\p{C}\p{Zl}\p{Zp}"]|^\s|\s$|^$/u.test(plain) ? JSON.stringify(plain) : plain;
}
