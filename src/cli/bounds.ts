/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, mib, milliseconds, minutes } from "../base/bound.ts";

/** The command line */
export const cliBounds = {
  answer: milliseconds(
    10 * minutes,
    "wait for the answer of an MCP client's person, unless configured otherwise, or of a command (--ask-on)",
    "the question counts as answered with no; the client's task is interrupted, the command stopped",
  ),
  linesAhead: bytes(
    4 * mib,
    "lines of --input stream-json read ahead while the queue is full",
    "no more is read before there is room; while a question waits, further lines are refused, so that its answer can come",
  ),
  pipedBytes: bytes(8 * mib, "a prompt from a pipe", "it is refused, with advice"),
} satisfies Area;
