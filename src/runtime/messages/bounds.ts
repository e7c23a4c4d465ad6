/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, count, kib, mib, milliseconds, minutes } from "../../base/bound.ts";

/** What is sent with a message */
export const messageBounds = {
  waitingMessages: count(
    100,
    "messages queued behind a running request",
    "another message is refused, with advice",
  ),
  promptHooks: milliseconds(
    2 * minutes,
    "time that hooks take to examine a message",
    "they are ended, and their `onFailure` setting decides",
  ),
  allText: bytes(
    512 * kib,
    "all text files of one message",
    "the message is not sent, and the person is told",
  ),
  allPictures: bytes(20 * mib, "all images of one message together", "the message is not sent"),
  files: count(50, "files and directories of one message", "the message is not sent, and the person is told"),
} satisfies Area;
