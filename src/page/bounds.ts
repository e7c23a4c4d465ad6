/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, characters, count, kib } from "../base/bound.ts";

/** Blocks drawn at the end of a conversation; earlier ones are drawn when scrolled to. */
export const mostShownBlocks = 240;
/** Sessions for which it is remembered how far they were read. */
export const mostSeenMarks = 500;

/** The page */
export const pageBounds = {
  imageBytes: bytes(
    700 * kib,
    "an image sent with a message from the page",
    "it is scaled down; if it stays larger, it is refused",
  ),
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
} satisfies Area;
