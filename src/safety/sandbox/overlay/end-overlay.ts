/** Runs when a command over an overlay has ended: returns its changes, and merges whatever they cannot hold right away. */

import { readdirSync, renameSync } from "node:fs";
import { dirname, relative } from "node:path";
import { errorMessage } from "../../../base/expected.ts";
import { makeDirectorySync } from "../../../base/safe-fs/own-files.ts";
import { endedWith, type SandboxOutcome } from "../contained-run.ts";
import { ledToByGit } from "../git-led.ts";
import type { CheckedRequest } from "../request.ts";
import type { IndexedPlaces } from "../workspace-index.ts";
import { type BytePath, fromText, isBelow, nameOf, parentOf, shownPath } from "./byte-path.ts";
import { removeOne, setTimes } from "./carry.ts";
import { changesOf } from "./changes.ts";
import { withoutConflicts } from "./conflicts.ts";
import { divide, type DividedDifferences, type UncoveredDifference, withOldKept } from "./coverage.ts";
import { type OverlayDifference, differencesOf, usualCaps } from "./differences.ts";
import { mergeUncovered } from "./merge.ts";
import { dropOverlay, type Overlay } from "./overlay.ts";
import { takePlanted } from "./planted-files.ts";
import { keptPlace } from "./put-aside.ts";
import { openRooted, type RootedTree } from "./rooted-tree.ts";
import { isLoss, placesOf, uncoveredInWords } from "./uncovered-words.ts";
import { nodeAt, readUpper, type UpperNode } from "./upper-tree.ts";
import { type View, viewOf } from "./view.ts";

type EndedOverlay = { overlay: Overlay; request: CheckedRequest; found: IndexedPlaces };

/** Never throws: anything unreadable is retained and reported. */
export async function endOverlay(ending: EndedOverlay): Promise<SandboxOutcome> {
  const { overlay } = ending;
  const settled = (): Promise<void> => dropOverlay(overlay);
  if (readdirSync(overlay.upper, { encoding: "latin1" }).length === 0) return endedWith([], settled);
  const trees = treesOf(overlay);
  try {
    return await readOverlay(ending, trees);
  } catch (error) {
    return endedWith([keepWhole(ending, error)], settled);
  } finally {
    close(trees);
  }
}

type OverlayTrees = { upper: RootedTree; lower: RootedTree; view: View };

const treesOf = (overlay: Overlay): OverlayTrees => ({
  upper: openRooted(overlay.upper),
  lower: openRooted(overlay.workspace),
  view: viewOf(overlay),
});

function close({ upper, lower, view }: OverlayTrees): void {
  for (const each of [upper, lower, view]) each.close();
}

async function readOverlay(ending: EndedOverlay, trees: OverlayTrees): Promise<SandboxOutcome> {
  const { overlay, request, found } = ending;
  const whole = request.overlay === "whole";
  const isOpen = request.profile === "open";
  const { root, setId } = await readUpper(trees.upper, { keepsSetId: isOpen });
  for (const path of overlay.hidden)
    keepHidden(fromText(relative(overlay.workspace, path)), root, trees.upper);
  const { stateDir } = request;
  const planted = await takePlanted({
    ...trees,
    overlay,
    root,
    found,
    stateDir,
    isOpen,
    led: ledToByGit(request, found),
  });
  if (whole && root.files > usualCaps.changes) return tooLarge(ending, `it changed ${root.files} files`);
  const { apart } = planted;
  if (whole) for (const path of apart) leaveOut(root, path);
  const differences = await differencesOf(root, { ...trees, whole, apart });
  const { list, warnings } = withoutConflicts(differences.list, {
    upper: trees.upper,
    started: overlay.started,
    stateDir,
  });
  const told = [
    ...planted.warnings,
    ...warnings,
    ...setId.map(setIdWarning),
    ...differences.fifos.map(fifoWarning),
    ...differences.tooDeep.map(depthWarning),
  ];
  const given = await divideChanges(list, ending, trees);
  return whole
    ? stageChanges(given, [...planted.dropped, ...apart], told, ending)
    : mergeOverlay({ given, root, touched: differences.touched, told, apart }, ending);
}

/** Of a file that was hidden from the command an empty copy is none of its doing: `chmod -R` makes one. */
function keepHidden(path: BytePath, root: UpperNode, upper: RootedTree): void {
  if (nodeAt(root, path)?.kind === "file" && upper.stat(path)?.size === 0n) leaveOut(root, path);
}

/** Changes in a repository could not be applied later, because no tool writes to one. */
function leaveOut(root: UpperNode, path: BytePath): void {
  const above = parentOf(path);
  const parent = above === "" ? root : nodeAt(root, above);
  parent?.children.delete(nameOf(path));
}

type DividedChanges = DividedDifferences & {
  late: readonly UncoveredDifference[];
  changes: SandboxOutcome["changes"];
};

/** Anything that proves unreadable becomes uncovered, together with whatever depends on it. */
async function divideChanges(
  list: readonly OverlayDifference[],
  { request }: EndedOverlay,
  trees: OverlayTrees,
): Promise<DividedChanges> {
  const kept = (unreadable: ReadonlySet<BytePath>) => {
    const all = divide(list, usualCaps, unreadable);
    return request.overlay === "whole" ? { ...all, late: [] } : withOldKept(all, usualCaps, unreadable);
  };
  const first = kept(new Set());
  const { changes, unreadable } = await changesOf(first.covered, trees);
  if (unreadable.size === 0) return { ...first, changes };
  const again = kept(unreadable);
  return { ...again, changes: (await changesOf(again.covered, trees)).changes };
}

type OverlayReading = {
  given: DividedChanges;
  root: UpperNode;
  touched: readonly BytePath[];
  told: readonly string[];
  apart: ReadonlySet<BytePath>;
};

/** Nothing is in the workspace yet: what the changes do not cover gets there with `keep`, before they are applied. */
function mergeOverlay(
  { given, root, touched, told, apart }: OverlayReading,
  ending: EndedOverlay,
): SandboxOutcome {
  const { overlay, request } = ending;
  let remaining: readonly BytePath[] = [];
  return {
    warnings: [...told],
    changes: given.changes,
    uncovered: uncoveredInWords(given.uncovered, usualCaps),
    places: [...new Set([...placesOf([...given.uncovered, ...given.late]), ...apart])].map(shownPath),
    repositories: [...apart].map(shownPath),
    lost: [
      ...placesOf(given.uncovered.filter(isLoss)),
      ...replacedIn(given).flatMap(({ path, reason }) => (reason === "size" ? [path] : [])),
    ].map(shownPath),
    async keep() {
      const trees = treesOf(overlay);
      try {
        const { stateDir } = request;
        const done = await mergeUncovered(given.uncovered, { ...trees, overlay, root, stateDir });
        remaining = done.remaining;
        for (const path of touched) {
          const stats = trees.upper.stat(path);
          if (stats) setTimes(trees.lower, path, stats);
        }
        return [...done.warnings, ...replacedIn(given).map(replacedWarning)];
      } finally {
        close(trees);
      }
    },
    async settled() {
      await mergeLate(given.late, root, ending);
      removeRemaining(remaining, overlay);
      await dropOverlay(overlay);
    },
  };
}

/** If the change that makes room was not made, what stands there stays. */
async function mergeLate(
  late: readonly UncoveredDifference[],
  root: UpperNode,
  { overlay, request }: EndedOverlay,
): Promise<void> {
  if (late.length === 0) return;
  const [upper, lower] = [openRooted(overlay.upper), openRooted(overlay.workspace)];
  const stays = late.filter(({ path, before }) => before === null && lower.stat(path) !== undefined);
  const put = late.filter(({ path }) => !stays.some((one) => one.path === path || isBelow(path, one.path)));
  await mergeUncovered(put, { upper, lower, overlay, root, stateDir: request.stateDir });
  upper.close();
  lower.close();
}

/** What stands in the place of something that had to go; not what lies below it, which is simply new. */
function replacedIn({ late, covered }: DividedChanges): UncoveredDifference[] {
  const gone = new Set(covered.filter(({ after }) => after === null).map(({ path }) => path));
  return late.filter(({ path }) => gone.has(path));
}

const replacedWarning = ({ path, reason }: UncoveredDifference): string =>
  reason === "size"
    ? `${shownPath(path)} is now larger than undo can take away. Its earlier content is kept.`
    : `${shownPath(path)} was a file, and the command put something else in its place that undo cannot take away. The file's content is kept.`;

/** Removes directories that are empty once the changes are applied; after discarded changes they are not, and stay. */
function removeRemaining(paths: readonly BytePath[], { workspace }: Overlay): void {
  if (paths.length === 0) return;
  const lower = openRooted(workspace);
  for (const path of paths) removeOne(lower, path, true);
  lower.close();
}

function stageChanges(
  given: DividedChanges,
  dropped: readonly BytePath[],
  told: readonly string[],
  ending: EndedOverlay,
): SandboxOutcome {
  const over = given.uncovered.filter(({ reason }) => reason !== "name" && reason !== "odd");
  if (over.length > 0) return tooLarge(ending, uncoveredInWords(over, usualCaps).join(", "));
  const leftOut = given.uncovered.map((one: UncoveredDifference) => shownPath(one.path));
  return {
    warnings: [
      ...told,
      ...leftOut.map((path) => `${path} cannot be staged and is left out.`),
      ...dropped.map((path) => `What the command did to the repository ${shownPath(path)} is left out.`),
    ],
    changes: given.changes,
    uncovered: [],
    settled: () => dropOverlay(ending.overlay),
  };
}

const tooLarge = ({ overlay }: EndedOverlay, because: string): SandboxOutcome => ({
  ...endedWith([], () => dropOverlay(overlay)),
  tooLarge: `The command changed more than can be staged, so nothing was kept: ${because}. At most ${usualCaps.changes} files of ${usualCaps.fileBytes / 2 ** 20} MiB each, and ${usualCaps.allBytes / 2 ** 20} MiB in all, can be.`,
});

const fifoWarning = (path: BytePath): string => `${shownPath(path)} is a FIFO, which is left out.`;

const setIdWarning = (path: BytePath): string =>
  `${shownPath(path)} has lost its set-id bits: it would have run with the rights of its owner for every user.`;

const depthWarning = (path: BytePath): string =>
  `${shownPath(path)} lies too deep: what the command changed in it is left out.`;

function keepWhole({ overlay, request }: EndedOverlay, error: unknown): string {
  const words = errorMessage(error);
  const place = keptPlace(request.stateDir);
  try {
    makeDirectorySync(dirname(place), 0o700);
    renameSync(overlay.upper, place);
    return `What the command changed could not be put into the workspace (${words}). It is kept at ${place}.`;
  } catch {
    return `What the command changed could not be put into the workspace (${words}).`;
  }
}
