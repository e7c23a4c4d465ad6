/** Reviews for tests, made with the hunks that a session would tell. */

import type { ReviewValue } from "../../../../../../src/client.ts";
import { hunksOf, linesOf } from "../../../../../../src/session/checkpoints/lines.ts";
import type { FileReview } from "../changed-files.ts";
import { readHunks, type ReviewHunk } from "../hunk.ts";

export function hunksBetween(old: string, now: string, turn = 1, path = "a.txt"): ReviewHunk[] {
  return readHunks({ turn, path, hunks: textHunks(old, now) });
}

function textHunks(old: string, now: string): { number: number; text: string }[] {
  return hunksOf(bytesIn(old), bytesIn(now)).map(({ number, text }) => ({ number, text }));
}

const bytesIn = (text: string): readonly string[] => linesOf(new TextEncoder().encode(text)) ?? [];

/** `null`: there is no such file. */
export function reviewedFile(
  path: string,
  old: string | null,
  now: string | null,
  more: Partial<FileReview> = {},
): FileReview {
  const hunks = textHunks(old ?? "", now ?? "");
  return {
    path,
    action: old === null ? "created" : now === null ? "deleted" : "modified",
    kind: "file",
    status: "pending",
    added: 0,
    removed: 0,
    diff: "",
    hunks,
    ...more,
  };
}

export const reviewOf = (turn: number, files: FileReview[]): ReviewValue => ({
  id: `ckpt_${turn}`,
  turn,
  startedAt: turn,
  status: "pending",
  added: 0,
  removed: 0,
  files,
  directories: [],
});
