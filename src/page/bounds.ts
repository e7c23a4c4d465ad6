/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, characters, count, kib } from "../base/bound.ts";

/** The page */
export const pageBounds = {
  imageBytes: bytes(
    700 * kib,
    "an image sent with a message from the page",
    "it is scaled down; if it stays larger, it is refused",
  ),
  messageImages: count(4, "images attached to one message on the page", "another one is refused"),
  messageFiles: count(
    8,
    "text files added to a message on the page at once",
    "the rest are left out, and the page says so",
  ),
  pastedText: characters(
    32 * kib,
    "text pasted into the page's text field",
    "it becomes a text file attached to the message",
  ),
  shownBlocks: count(
    240,
    "blocks drawn at the end of a conversation on the page",
    "earlier blocks are drawn when scrolled to",
  ),
  seenMarks: count(
    500,
    "sessions for which the page remembers how far they were read",
    "the oldest counts as read",
  ),
} satisfies Area;
