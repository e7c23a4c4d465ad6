/** The requests of a session, newest first, and the way back to before one of them. */

import { visibleLine } from "../../../../../src/base/visible-text.ts";
import type { SessionState } from "../../../../../src/client.ts";
import { firstWords, requestOf } from "../../../../../src/page/panels/requests.ts";
import { type Checkpoint, checkpointsOf } from "../../../../../src/protocol/fold-changes.ts";
import { statusWords } from "../../../../../src/view/review.ts";
import type { DecisionCommand } from "./change-commands.ts";

export type TimelineRequest = {
  turn: number;
  /** Its first words. */
  words: string;
  startedAt: number;
  added: number;
  removed: number;
  /** Paths that it changed. */
  paths: readonly string[];
  /** "applied", "undone" …; absent if it changed nothing. */
  status?: string;
  canGoBack: boolean;
};

export function timelineRequests(
  state: SessionState,
  checkpoints: readonly Checkpoint[] = checkpointsOf(state),
): TimelineRequest[] {
  return checkpoints
    .map((checkpoint) => ({ ...requestIn(state, checkpoint), canGoBack: isAnyInForce(checkpoint) }))
    .toReversed();
}

function requestIn(state: SessionState, checkpoint: Checkpoint): Omit<TimelineRequest, "canGoBack"> {
  const { turn, startedAt, added, removed, files, directories } = checkpoint;
  const words = visibleLine(firstWords(requestOf(state, turn)));
  const paths = [...files, ...directories].map(({ path }) => path);
  const status = paths.length > 0 ? { status: statusWords(checkpoint) } : {};
  return { turn, words, startedAt, added, removed, paths, ...status };
}

/** What going back to before a request undoes, newest request first, and what stays because it was kept for good. */
export type WayBackTo = {
  turn: number;
  commands: DecisionCommand[];
  turns: readonly number[];
  paths: readonly string[];
  kept: readonly string[];
};

export function wayBackTo(state: SessionState, turn: number): WayBackTo {
  const later = checkpointsOf(state)
    .filter((checkpoint) => checkpoint.turn >= turn)
    .toReversed();
  const undone = later.filter(isAnyInForce);
  return {
    turn,
    commands: undone.map((checkpoint) => ({ type: "undo", turn: checkpoint.turn })),
    turns: undone.map((checkpoint) => checkpoint.turn),
    paths: pathsWhere(undone, ["pending", "partial"]),
    kept: pathsWhere(later, ["kept"]),
  };
}

const isAnyInForce = ({ files, directories }: Checkpoint): boolean =>
  [...files, ...directories].some(({ status }) => status === "pending" || status === "partial");

function pathsWhere(checkpoints: readonly Checkpoint[], statuses: readonly string[]): string[] {
  const all = checkpoints.flatMap(({ files, directories }) => [...files, ...directories]);
  return [
    ...new Set(all.filter(({ status }) => statuses.includes(status)).map(({ path }) => path)),
  ].toSorted();
}
