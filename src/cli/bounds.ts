/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, mib, milliseconds, minutes } from "../base/bound.ts";

/** The command line */
export const cliBounds = {
  answer: milliseconds(
    10 * minutes,
    "wait for an answer from an MCP client's person, unless configured otherwise",
    "the question counts as answered with no, and the task is interrupted",
  ),
  askTime: milliseconds(
    10 * minutes,
    "wait for the answer of a command (--ask-on)",
    "it is stopped, and the question counts as answered with no",
  ),
  askOutput: bytes(
    mib,
    "the answer of a command (--ask-on)",
    "it is stopped, and the question counts as answered with no",
  ),
  inputLine: bytes(
    32 * mib,
    "a line of --input stream-json",
    "it is skipped, and a line of the output says so",
  ),
  linesAhead: bytes(
    4 * mib,
    "lines of --input stream-json read ahead while the queue is full",
    "no more is read before there is room; while a question waits, further lines are refused, so that its answer can come",
  ),
  pipedBytes: bytes(8 * mib, "a prompt from a pipe", "it is refused, with advice"),
} satisfies Area;
