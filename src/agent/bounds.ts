/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib } from "../base/bound.ts";

/** A turn */
export const turnBounds = {
  heldBack: {
    of: "times that hooks can keep a turn from ending",
    most: 3,
    unit: "count",
    beyond: "the turn ends anyway",
  },
  goalVerdicts: {
    of: "times that one request is told to go on because the goal is not met",
    most: 50,
    unit: "count",
    beyond: "the request ends, and says what is missing",
  },
  brokenAnswers: {
    of: "answers in a row that broke off and are asked for again",
    most: 10,
    unit: "count",
    beyond: "the turn ends, and says why",
  },
  answerCalls: {
    of: "calls in one answer",
    most: 300,
    unit: "count",
    beyond: "the rest are not started, and the model is told",
  },
  commandsAhead: {
    of: "commands of one answer that run before their turn, for each core",
    most: 4,
    unit: "count",
    beyond: "the others wait",
  },
  shownDiff: {
    of: "diff of a staged change shown to the model",
    most: 16 * kib,
    unit: "bytes",
    beyond: "the rest is left out, and the result says so",
  },
} satisfies Area;
