/** Where the work of the command line ends. A part of the table in bounds.ts. */
import { type Area, mib } from "./bound.ts";

export const screen = {
  judgedText: {
    of: "a command line on the standard input of inspect",
    most: 4 * mib,
    unit: "bytes",
    beyond: "it is refused",
  },
  versionTime: {
    of: "asking a program for its version",
    most: 5_000,
    unit: "milliseconds",
    beyond: "it counts as not there",
  },
  blocks: {
    of: "blocks of a conversation that a line-by-line surface holds",
    most: 2000,
    unit: "count",
    beyond: "the oldest are forgotten; they are on the screen already",
  },
  typedAhead: {
    of: "what is typed while nothing is asked for",
    most: mib,
    unit: "characters",
    beyond: "more is not taken, which is told",
  },
  pasted: {
    of: "one text that is pasted",
    most: 4 * mib,
    unit: "characters",
    beyond: "the rest is dropped, which its mark says",
  },
  pastes: {
    of: "texts that were pasted and may be sent again",
    most: 16 * mib,
    unit: "characters",
    beyond: "the oldest are forgotten: their marks are then sent as they are",
  },
  typedLines: {
    of: "lines that the arrow keys bring back",
    most: 200,
    unit: "count",
    beyond: "the oldest are forgotten",
  },
  pipedBytes: {
    of: "a prompt from a pipe",
    most: 8 * mib,
    unit: "bytes",
    beyond: "it is refused, with advice",
  },
  pipedSilence: {
    of: "silence of a pipe that nobody named",
    most: 2_000,
    unit: "milliseconds",
    beyond: "the prompt does without it",
  },
} satisfies Area;
