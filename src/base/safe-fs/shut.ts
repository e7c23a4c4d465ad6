/**
 * Opens directories that their owner may not write in while a set of changes is made in them, then sets their final
 * mode.
 */

import { chmodSync, statSync } from "node:fs";
import { descend, statusAt } from "./directory.ts";
import type { PinnedDirectory } from "./directory.ts";
import { type Image, modeOf } from "./image.ts";
import { isShutMode, noteShut, openMode, removeNote } from "./shut-notes.ts";
import { identityOf } from "./status.ts";
import type { ChangeStep } from "./step.ts";

/** `note`: of a directory that no step changes, so that nothing else tells how it stood. */
type UnlockedDirectory = {
  names: readonly string[];
  mode: number;
  own: ChangeStep | undefined;
  note: string | undefined;
};

const isShut = (image: Image | null): boolean =>
  image?.kind === "directory" && isShutMode(modeOf(image) ?? openMode(0));

/** The steps to run after all others: each removes write permission from a directory whose content has changed. */
export function shutLast(steps: readonly ChangeStep[]): ChangeStep[] {
  const above = new Set(steps.flatMap((step) => step.above.map((_, at) => keyOf(step.above, at + 1))));
  const shut = steps.filter(({ change }) => isShut(change.after) && above.has(change.path));
  for (const step of shut) step.closes = "later";
  return shut.map((step): ChangeStep => ({ ...step, closes: "now" })).toReversed();
}

const keyOf = (names: readonly string[], length: number): string => names.slice(0, length).join("/");

/**
 * Opens directories that are themselves changed, and with `all` every other one on the way. A directory that cannot be
 * opened is skipped; the steps in it will fail and report it.
 */
export function openShut(
  root: PinnedDirectory,
  steps: readonly ChangeStep[],
  all: boolean,
): UnlockedDirectory[] {
  if (process.getuid?.() === 0) return []; // root may write everywhere
  const own = new Map(
    steps.filter(({ change }) => change.before?.kind === "directory").map((step) => [step.change.path, step]),
  );
  const opened: UnlockedDirectory[] = [];
  for (const [path, names] of directoriesOf(steps)) {
    const step = own.get(path);
    const before = step || all ? open(root, names, step) : undefined;
    if (before === undefined) continue;
    if (step) step.opened = before.mode;
    opened.push({ names, own: step, ...before });
  }
  return opened;
}

/** Restores the mode of directories that no step of their own has set. */
export function shutAgain(
  root: PinnedDirectory,
  opened: readonly UnlockedDirectory[],
  isMade: boolean,
): void {
  for (const { names, mode, own, note } of opened.toReversed()) {
    const isDone =
      isMade && own && (own.change.after?.kind !== "directory" || modeOf(own.change.after) !== undefined);
    if (isDone) continue;
    setMode(root, names, () => mode);
    if (note !== undefined) inParent(root, names, (parent) => removeNote(parent, note));
  }
}

/** The existing directories, each after its parent. */
function directoriesOf(steps: readonly ChangeStep[]): [string, readonly string[]][] {
  const found = new Map<string, readonly string[]>();
  for (const { above, standing } of steps)
    for (let length = 0; length <= standing; length++)
      found.set(keyOf(above, length), above.slice(0, length));
  return [...found].toSorted(([, one], [, other]) => one.length - other.length);
}

/** Makes a directory writable; returns its old mode, or undefined if nothing was changed. */
function open(
  root: PinnedDirectory,
  names: readonly string[],
  own: ChangeStep | undefined,
): Pick<UnlockedDirectory, "mode" | "note"> | undefined {
  const expected = own && modeOf(own.change.before ?? null);
  let old: Pick<UnlockedDirectory, "mode" | "note"> | undefined;
  const isSet = setMode(root, names, (mode, parent) => {
    if (!isShutMode(mode) || (expected !== undefined && expected !== mode)) return undefined;
    // The root of the tree has no place beside it.
    const name = own ? undefined : names.at(-1);
    old = { mode, note: name === undefined ? undefined : noteShut(parent, name, mode) };
    return openMode(mode);
  });
  return isSet ? old : undefined;
}

function setMode(
  root: PinnedDirectory,
  names: readonly string[],
  next: (mode: number, parent: PinnedDirectory) => number | undefined,
): boolean {
  const isSet = inParent(root, names, (parent) => {
    const name = names.at(-1) ?? ".";
    const stats = statusAt(parent, name);
    const mode = stats?.isDirectory() ? next(Number(stats.mode & 0o7777n), parent) : undefined;
    if (stats === undefined || mode === undefined) return false;
    return parent.pinned(name, (path) => {
      // A different file may have taken the name; its mode is not ours to change, as it may have names outside.
      if (identityOf(statSync(path, { bigint: true })) !== identityOf(stats)) return false;
      chmodSync(path, mode);
      return true;
    });
  });
  return isSet === true;
}

/** Undefined if that cannot be done. */
function inParent<Result>(
  root: PinnedDirectory,
  names: readonly string[],
  work: (parent: PinnedDirectory) => Result,
): Result | undefined {
  try {
    const parent = descend(root, names.slice(0, -1));
    try {
      return work(parent);
    } finally {
      parent.close();
    }
  } catch {
    return undefined;
  }
}
