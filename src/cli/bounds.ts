/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib, minutes } from "../base/bound.ts";

/** The command line */
export const cliBounds = {
  answer: {
    of: "wait for an answer from an MCP client's person, unless configured otherwise",
    most: 10 * minutes,
    unit: "milliseconds",
    beyond: "the question counts as answered with no, and the task is interrupted",
  },
  askTime: {
    of: "wait for the answer of a command (--ask-on)",
    most: 10 * minutes,
    unit: "milliseconds",
    beyond: "it is stopped, and the question counts as answered with no",
  },
  askOutput: {
    of: "the answer of a command (--ask-on)",
    most: mib,
    unit: "bytes",
    beyond: "it is stopped, and the question counts as answered with no",
  },
  inputLine: {
    of: "a line of --input stream-json",
    most: 32 * mib,
    unit: "bytes",
    beyond: "it is skipped, and a line of the output says so",
  },
  pipedBytes: {
    of: "a prompt from a pipe",
    most: 8 * mib,
    unit: "bytes",
    beyond: "it is refused, with advice",
  },
} satisfies Area;
