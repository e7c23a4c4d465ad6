/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../../base/bound.ts";

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
  draftAdded: {
    of: "attachments of unsent messages that a tab keeps across a reload",
    most: 4 * mib,
    unit: "characters",
    beyond: "the rest are lost on reload; the text is kept",
  },
  listedSessions: {
    of: "sessions in the page's list",
    most: 200,
    unit: "count",
    beyond: "older ones are found by searching",
  },
  drawnSessions: {
    of: "sessions drawn at once in the page's list",
    most: 50,
    unit: "count",
    beyond: "further ones are drawn when scrolled to",
  },
  keptSessions: {
    of: "sessions that the page keeps in memory besides the one it shows",
    most: 4,
    unit: "count",
    beyond: "the least recently shown is dropped, and read again when opened",
  },
  shownBlocks: {
    of: "blocks drawn at the end of a conversation on the page",
    most: 240,
    unit: "count",
    beyond: "earlier blocks are drawn when scrolled to",
  },
  notices: {
    of: "notices on the page at once",
    most: 4,
    unit: "count",
    beyond: "the oldest disappears",
  },
  sentMessages: {
    of: "messages per session that can be recalled into the page's text field",
    most: 100,
    unit: "count",
    beyond: "the oldest are not offered",
  },
  seenMarks: {
    of: "sessions for which the page remembers how far they were read",
    most: 500,
    unit: "count",
    beyond: "the oldest counts as read",
  },
  colouredCode: {
    of: "a code block with syntax colours on the page",
    most: 64 * kib,
    unit: "characters",
    beyond: "it is shown in one colour",
  },
} satisfies Area;
