/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib } from "../base/bound.ts";

/** The page */
export const pageBounds = {
  imageBytes: {
    of: "an image sent with a message from the page",
    most: 700 * kib,
    unit: "bytes",
    beyond: "it is scaled down; if it stays larger, it is refused",
  },
  messageImages: {
    of: "images attached to one message on the page",
    most: 4,
    unit: "count",
    beyond: "another one is refused",
  },
  messageFiles: {
    of: "text files added to a message on the page at once",
    most: 8,
    unit: "count",
    beyond: "the rest are left out, and the page says so",
  },
  pastedText: {
    of: "text pasted into the page's text field",
    most: 32 * kib,
    unit: "characters",
    beyond: "it becomes a text file attached to the message",
  },
  shownBlocks: {
    of: "blocks drawn at the end of a conversation on the page",
    most: 240,
    unit: "count",
    beyond: "earlier blocks are drawn when scrolled to",
  },
  seenMarks: {
    of: "sessions for which the page remembers how far they were read",
    most: 500,
    unit: "count",
    beyond: "the oldest counts as read",
  },
} satisfies Area;
