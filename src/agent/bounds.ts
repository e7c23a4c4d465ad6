/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, count, milliseconds } from "../base/bound.ts";

/** Commands of one answer that run before their turn, for each core. */
export const mostAheadForCore = 4;

/** A turn */
export const turnBounds = {
  heldBack: count(
    3,
    "times that hooks can keep a turn from ending",
    "the turn ends as not done, and says why",
  ),
  goalVerdicts: count(
    50,
    "times that one request is told to go on because the goal is not met",
    "the request ends, and says what is missing",
  ),
  brokenAnswers: count(
    10,
    "answers in a row that broke off and are asked for again",
    "the turn ends, and says why",
  ),
  unusableAnswers: count(6, "answers in a row whose calls could not be used", "the turn ends, and says why"),
  answerCalls: count(300, "calls in one answer", "the rest are not started, and the model is told"),
  deafTool: milliseconds(
    30_000,
    "wait for a tool that was interrupted and does not end",
    "nobody waits for it any more: the request ends as interrupted",
  ),
} satisfies Area;
