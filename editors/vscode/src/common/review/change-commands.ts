/** What to ask of a session in order to keep or undo a hunk, a file or everything that awaits a review. */

import type { Command } from "../../../../../src/client.ts";
import type { FileInReview, ChangedPart } from "./changed-files.ts";
import type { ReviewHunk } from "./hunk.ts";

export type UndoOrRedo = Extract<Command, { type: "undo" | "redo" }>;
export type DecisionCommand = UndoOrRedo | Extract<Command, { type: "keep" }>;

/** The last hunk that waits for a decision settles its file: those that were kept become final. */
export function undoHunk(hunk: ReviewHunk, { path, parts }: FileInReview): DecisionCommand[] {
  const part = parts.find(({ turn }) => turn === hunk.turn);
  if (!part) return [];
  const which = { turn: hunk.turn, paths: [path] };
  const isLast = part.hunks.length === 1 && part.keptHunks.length > 0;
  return [
    { type: "undo", ...which, hunks: [hunk.number] },
    ...(isLast ? [{ type: "keep" as const, ...which }] : []),
  ];
}

/** The newest request first, so that no request is in the way of another one. */
export const undoFile = (file: FileInReview): DecisionCommand[] =>
  file.parts.flatMap((part) => undoPart(part, file.path));

/** Hunks that were kept stay. */
function undoPart({ turn, hunks, keptHunks }: ChangedPart, path: string): DecisionCommand[] {
  const which = { turn, paths: [path] };
  if (keptHunks.length === 0) return [{ type: "undo", ...which }];
  return [
    { type: "undo", ...which, hunks: hunks.map(({ number }) => number) },
    { type: "keep", ...which },
  ];
}

export const keepFile = ({ path, parts }: FileInReview): DecisionCommand[] =>
  parts.map(({ turn }) => ({ type: "keep", turn, paths: [path] }));

/** Request by request, the newest first: a request's files are undone together, or none of them. */
export function undoAll(files: readonly FileInReview[]): DecisionCommand[] {
  return turnsOf(files).flatMap((turn) => {
    const parts = partsOf(files, turn);
    const untouched = parts.filter(({ part }) => part.keptHunks.length === 0);
    const paths = untouched.map(({ path }) => path);
    const whole: DecisionCommand[] = paths.length > 0 ? [{ type: "undo", turn, paths }] : [];
    const rest = parts.filter(({ part }) => part.keptHunks.length > 0);
    return [...whole, ...rest.flatMap(({ part, path }) => undoPart(part, path))];
  });
}

export const keepAll = (files: readonly FileInReview[]): DecisionCommand[] =>
  turnsOf(files).map((turn) => ({
    type: "keep",
    turn,
    paths: partsOf(files, turn).map(({ path }) => path),
  }));

function turnsOf(files: readonly FileInReview[]): number[] {
  const turns = files.flatMap(({ parts }) => parts.map(({ turn }) => turn));
  return [...new Set(turns)].toSorted((one, other) => other - one);
}

const partsOf = (files: readonly FileInReview[], turn: number): { path: string; part: ChangedPart }[] =>
  files.flatMap(({ path, parts }) =>
    parts.filter((part) => part.turn === turn).map((part) => ({ path, part })),
  );
