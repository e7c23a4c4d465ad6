/** The files that await a review: what the requests of a session changed and nobody has kept or undone yet. */

import type { ReviewValue } from "../../../../../src/client.ts";
import { addedIn, type ReviewHunk, readHunks, removedIn } from "./hunk.ts";

/** A file as the gateway reports what one request did to it. */
export type FileReview = ReviewValue["files"][number];

/** What one request did to a file. `hunks`: those that await a decision. */
export type ChangedPart = Pick<FileReview, "action" | "kind" | "mode" | "conflict"> & {
  turn: number;
  hunks: readonly ReviewHunk[];
  /** Its hunks that a person has kept already; they become final together with the others. */
  keptHunks: readonly ReviewHunk[];
  /** Why there are no hunks. */
  problem?: string;
};

/** `parts`: the newest request first. `added` and `removed` count what awaits a decision. */
export type FileInReview = {
  path: string;
  action: FileReview["action"];
  added: number;
  removed: number;
  parts: readonly ChangedPart[];
};

/** `kept`: the keys of hunks that a person has kept. By path. */
export function changedFiles(
  reviews: readonly ReviewValue[],
  kept: ReadonlySet<string> = new Set(),
): FileInReview[] {
  const parts = new Map<string, ChangedPart[]>();
  for (const review of reviews.toSorted((one, other) => other.turn - one.turn))
    for (const file of review.files.filter(awaitsDecision)) {
      const part = partOf(review.turn, file, kept);
      if (isOver(part)) continue;
      parts.set(file.path, [...(parts.get(file.path) ?? []), part]);
    }
  return [...parts]
    .map(([path, ofFile]) => fileOf(path, ofFile))
    .toSorted((one, other) => comparePaths(one.path, other.path));
}

/** All its hunks were kept one by one. */
const isOver = ({ hunks, keptHunks }: ChangedPart): boolean => hunks.length === 0 && keptHunks.length > 0;

/** Parts whose hunks are all kept, one by one: what remains is to tell the session. */
export function keptParts(
  reviews: readonly ReviewValue[],
  kept: ReadonlySet<string>,
): { turn: number; path: string }[] {
  return reviews.flatMap(({ turn, files }) =>
    files
      .filter(awaitsDecision)
      .filter((file) => isOver(partOf(turn, file, kept)))
      .map(({ path }) => ({ turn, path })),
  );
}

const awaitsDecision = ({ status }: Pick<FileReview, "status">): boolean =>
  status === "pending" || status === "partial";

function partOf(turn: number, file: FileReview, kept: ReadonlySet<string>): ChangedPart {
  const { path, action, kind, mode, conflict, problem } = file;
  const hunks = readHunks({ turn, path, hunks: file.hunks });
  return {
    turn,
    action,
    kind,
    ...(mode ? { mode } : {}),
    ...(conflict ? { conflict } : {}),
    ...(problem === undefined ? {} : { problem }),
    hunks: hunks.filter(({ key }) => !kept.has(key)),
    keptHunks: hunks.filter(({ key }) => kept.has(key)),
  };
}

function fileOf(path: string, parts: readonly ChangedPart[]): FileInReview {
  const hunks = parts.flatMap((part) => part.hunks);
  return {
    path,
    action: actionOf(parts),
    added: hunks.reduce((all, hunk) => all + addedIn(hunk), 0),
    removed: hunks.reduce((all, hunk) => all + removedIn(hunk), 0),
    parts,
  };
}

/** What all the requests together did. */
function actionOf(parts: readonly ChangedPart[]): FileReview["action"] {
  if (parts[0]?.action === "deleted") return "deleted";
  return parts.at(-1)?.action === "created" ? "created" : "modified";
}

/** Files of a directory stand together, before its subdirectories. */
function comparePaths(one: string, other: string): number {
  const [ones, others] = [one.split("/"), other.split("/")];
  for (let at = 0; ; at += 1) {
    const [mine, theirs] = [ones[at] ?? "", others[at] ?? ""];
    const [isName, isOtherName] = [at === ones.length - 1, at === others.length - 1];
    if (isName !== isOtherName) return isName ? -1 : 1;
    if (mine !== theirs) return mine < theirs ? -1 : 1;
    if (isName) return 0;
  }
}
