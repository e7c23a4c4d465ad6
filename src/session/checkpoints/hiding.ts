/** A directory that a turn made unreadable hides what an undo has to restore in it, so it is restored before all else. */

import { applyChanges } from "../../base/safe-fs/apply.ts";
import { type Change, modeOf } from "../../base/safe-fs/image.ts";
import type { PathStanding } from "../../protocol/fold-changes.ts";
import type { CheckpointContext } from "./images.ts";
import type { Wish } from "./ways.ts";

/** Restores these directories, and returns how to take that back. A crash here is one in the middle of the undo. */
export async function restoreHiding(
  wishes: readonly Wish[],
  { files }: CheckpointContext,
): Promise<() => Promise<void>> {
  const restored: Change[] = [];
  const hiding = wishes.filter(({ left, target }) => isHiding(left.at(-1)) && target?.kind === "directory");
  for (const { path, left, target } of hiding.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const found = await files.image(path, { maxBytes: 0 });
    const before = found.ok ? found.value : null;
    if (before?.kind !== "directory" || modeOf(before) !== left.at(-1)?.mode) continue;
    const mode = target?.mode;
    const after = mode === undefined ? before : { ...before, mode };
    const change: Change = { path, before, after };
    if ((await applyChanges(files, [change], { evenIfShut: true })).ok) restored.push(change);
  }
  return async () => {
    for (const { path, before, after } of restored.reverse())
      await applyChanges(files, [{ path, before: after, after: before }], { evenIfShut: true });
  };
}

/** Its owner cannot list it, or cannot reach what is in it. */
const isHiding = (standing: PathStanding | undefined): boolean =>
  standing?.kind === "directory" && standing.mode !== undefined && (standing.mode & 0o500) !== 0o500;
