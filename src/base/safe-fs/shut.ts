/**
 * Directories that their owner may not write in: opened while a set of changes is made in them, then as they are to be.
 */

import { chmodSync, statSync } from "node:fs";
import { descend, statusAt } from "./directory.ts";
import type { Directory } from "./directory.ts";
import { type Image, modeOf } from "./image.ts";
import { identityOf } from "./status.ts";
import type { Step } from "./step.ts";

/** To write in a directory its owner needs both rights. */
const writable = 0o300;

type Opened = { names: readonly string[]; mode: number; own: Step | undefined };

const isShut = (image: Image | null): boolean =>
  image?.kind === "directory" && ((modeOf(image) ?? writable) & writable) !== writable;

/**
 * Steps that are to be made when all others are: each takes the right to write from a directory in which something
 * changes.
 */
export function shutLast(steps: readonly Step[]): Step[] {
  const above = new Set(steps.flatMap((step) => step.above.map((_, at) => keyOf(step.above, at + 1))));
  const shut = steps.filter(({ change }) => isShut(change.after) && above.has(change.path));
  for (const step of shut) step.closes = "later";
  return shut.map((step): Step => ({ ...step, closes: "now" })).toReversed();
}

const keyOf = (names: readonly string[], length: number): string => names.slice(0, length).join("/");

/**
 * Those that are changed themselves, and `all` others if told. What may not be opened stays; the steps in it will tell.
 */
export function openShut(root: Directory, steps: readonly Step[], all: boolean): Opened[] {
  if (process.getuid?.() === 0) return []; // may write everywhere
  const own = new Map(
    steps.filter(({ change }) => change.before?.kind === "directory").map((step) => [step.change.path, step]),
  );
  const opened: Opened[] = [];
  for (const [path, names] of directoriesOf(steps)) {
    const step = own.get(path);
    const mode = step || all ? open(root, names, modeOf(step?.change.before ?? null)) : undefined;
    if (mode === undefined) continue;
    if (step) step.opened = mode;
    opened.push({ names, mode, own: step });
  }
  return opened;
}

/** What a step of its own has not seen to. */
export function shutAgain(root: Directory, opened: readonly Opened[], isMade: boolean): void {
  for (const { names, mode, own } of opened.toReversed()) {
    const isDone =
      isMade && own && (own.change.after?.kind !== "directory" || modeOf(own.change.after) !== undefined);
    if (!isDone) setMode(root, names, () => mode);
  }
}

/** Those that are there, each after what it lies in. */
function directoriesOf(steps: readonly Step[]): [string, readonly string[]][] {
  const found = new Map<string, readonly string[]>();
  for (const { above, standing } of steps)
    for (let length = 0; length <= standing; length++)
      found.set(keyOf(above, length), above.slice(0, length));
  return [...found].toSorted(([, one], [, other]) => one.length - other.length);
}

/** The mode that it had; undefined where nothing was done. */
function open(root: Directory, names: readonly string[], expected: number | undefined): number | undefined {
  let old: number | undefined;
  const isSet = setMode(root, names, (mode) => {
    if ((mode & writable) === writable || (expected !== undefined && expected !== mode)) return undefined;
    old = mode;
    return mode | 0o700;
  });
  return isSet ? old : undefined;
}

function setMode(
  root: Directory,
  names: readonly string[],
  next: (mode: number) => number | undefined,
): boolean {
  try {
    const parent = descend(root, names.slice(0, -1));
    try {
      const name = names.at(-1) ?? ".";
      const stats = statusAt(parent, name);
      const mode = stats?.isDirectory() ? next(Number(stats.mode & 0o7777n)) : undefined;
      if (stats === undefined || mode === undefined) return false;
      return parent.pinned(name, (path) => {
        // A file that has taken the name may have names outside, whose mode is not ours to change.
        if (identityOf(statSync(path, { bigint: true })) !== identityOf(stats)) return false;
        chmodSync(path, mode);
        return true;
      });
    } finally {
      parent.close();
    }
  } catch {
    return false;
  }
}
