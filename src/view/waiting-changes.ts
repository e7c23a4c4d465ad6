/** A command that has run, and whose changes wait for a person: its files, and what happened, in words. */

import { dropsInWords } from "../protocol/dropped-parts.ts";
import { nobody } from "../protocol/fact-words.ts";
import type { ChangedFile, FactOf, HeldFile } from "../protocol/facts.ts";
import { type CheckpointFile, type PathStanding, standingsOf } from "../protocol/fold-changes.ts";

/** A file as the review of a request shows one, with what can be dropped of it. */
export type WaitingFile = Omit<CheckpointFile, "status"> & Pick<HeldFile, "hunks" | "whole">;

export type WaitingChanges = { files: readonly WaitingFile[]; refused?: string };

/** Undefined if the question is not about a command that has run. */
export function waitingIn({
  held,
  changes = [],
}: Pick<FactOf<"approval-asked">, "held" | "changes">): WaitingChanges | undefined {
  if (!held) return undefined;
  const known = new Map(changes.map((change) => [change.path, change]));
  const files = held.files.flatMap((file): WaitingFile[] => {
    const change = known.get(file.path);
    return change ? [{ ...file, ...aboutChange(change) }] : [];
  });
  return { files, refused: held.refused };
}

function aboutChange(
  change: ChangedFile,
): Pick<WaitingFile, "action" | "kind" | "mode" | "added" | "removed"> {
  const { before, after } = standingsOf(change);
  const action = before === null ? "created" : after === null ? "deleted" : "modified";
  const { added, removed } = change;
  return { action, kind: (after ?? before)?.kind ?? "file", added, removed, ...modes(before, after) };
}

const modes = (before: PathStanding, after: PathStanding): Pick<WaitingFile, "mode"> =>
  before?.mode === undefined || after?.mode === undefined || before.mode === after.mode
    ? {}
    : { mode: { before: before.mode, after: after.mode } };

/** What has happened so far, sentence by sentence. */
export function waitingWords({ files, refused }: WaitingChanges): string[] {
  const count = files.length === 1 ? "one file" : `${files.length} files`;
  return [
    `It has run contained and changed ${count}; nothing of that is in the workspace yet.`,
    ...(refused === undefined ? [] : [`The sandbox refused it ${refused}.`]),
  ];
}

type HeldAnswer = Pick<FactOf<"approval-answered">, "answer" | "by" | "note" | "drops">;

/** What became of the changes: "all but a.txt, hunk 2 of b.txt kept". */
export function keptWords({ answer, by, note, drops = [] }: HeldAnswer): string {
  if (answer === "allow")
    return drops.length === 0 ? "changes kept" : `changes kept, but for ${dropsInWords(drops)}`;
  if (by === nobody) return "changes dropped: nobody answered in time";
  return note === undefined || note === "" ? "changes dropped" : `changes dropped: ${note}`;
}

/** Changes that were never put in place: the turn was stopped, or somebody changed one of the files meanwhile. */
export const notKept = "changes not put in place";
