/** The actions available for a request's changes in their present state. */

import type { Checkpoint, CheckpointFile, Status } from "../../protocol/fold-changes.ts";
import type { ReviewValue } from "../../remote/api-reports.ts";
import { octal } from "../../view/review.ts";

type ChangeActions = { undo: boolean; redo: boolean; keep: boolean };

/** For one file. A partly undone file can be redone; a kept one stays as it is. */
export function actionsOn({ status }: { status: Status | "none" }): ChangeActions {
  switch (status) {
    case "pending":
      return { undo: true, redo: false, keep: true };
    case "partial":
      return { undo: true, redo: true, keep: true };
    case "undone":
      return { undo: false, redo: true, keep: false };
    case "kept":
    case "none":
      return { undo: false, redo: false, keep: false };
    default:
      return status satisfies never;
  }
}

/** For all files of a request: actions possible on at least one of them. */
export function actionsOnAll({
  files,
  directories,
}: Pick<ReviewValue, "directories"> & { files: readonly { status: Status | "none" }[] }): ChangeActions {
  const all = [...files, ...directories].map(actionsOn);
  return {
    undo: all.some(({ undo }) => undo),
    redo: all.some(({ redo }) => redo),
    keep: all.some(({ keep }) => keep),
  };
}

const words: Readonly<Record<Status | "none", string>> = {
  pending: "applied",
  kept: "kept",
  undone: "undone",
  partial: "partly undone",
  none: "no longer in effect",
};

export const fileStatus = (status: Status | "none"): string => words[status];

const actionWords: Readonly<Record<CheckpointFile["action"], string>> = {
  created: "new",
  modified: "changed",
  deleted: "deleted",
};

/** "new", "changed link", "changed, mode 644 → 755". */
export function actionIn({
  action,
  kind,
  mode,
}: Pick<CheckpointFile, "action" | "kind"> & ModeChange): string {
  const what = kind === "file" ? actionWords[action] : `${actionWords[action]} ${kind}`;
  return mode ? `${what}, mode ${octal(mode.before)} → ${octal(mode.after)}` : what;
}

type ModeChange = { mode?: { before: number; after: number } | undefined };

/** The other hunks of a file: those to undo when only one is kept. */
export const otherHunks = (hunks: readonly { number: number }[], kept: number): number[] =>
  hunks.flatMap(({ number }) => (number === kept ? [] : [number]));

/** Requests that changed something, oldest first. */
export const withChanges = (checkpoints: readonly Checkpoint[]): Checkpoint[] =>
  checkpoints.filter(({ files, directories }) => files.length + directories.length > 0);

/** Changes whenever the review may have changed. */
export const reviewKey = (checkpoints: readonly Checkpoint[]): string =>
  checkpoints
    .map(({ turn, files, directories }) =>
      [
        turn,
        ...[...files, ...directories].map(({ path, status, added, removed }) =>
          JSON.stringify([path, status, added, removed]),
        ),
      ].join(" "),
    )
    .join("\n");
