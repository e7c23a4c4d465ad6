/** Bounds of the page. */

import { type Area, kib, mib } from "./bound.ts";

export const page = {
  imageBytes: {
    of: "a picture that is sent with a message from the page",
    most: 700 * kib,
    unit: "bytes",
    beyond: "it is made smaller; what stays larger is refused",
  },
  messageImages: {
    of: "pictures that are put to one message on the page",
    most: 4,
    unit: "count",
    beyond: "another one is refused",
  },
  messageFiles: {
    of: "text files that are added to a message of the page at once",
    most: 8,
    unit: "count",
    beyond: "further ones are left out, which is told",
  },
  pastedText: {
    of: "a text that is pasted into the page's text field",
    most: 32 * kib,
    unit: "characters",
    beyond: "it becomes a text file of the message",
  },
  draftAdded: {
    of: "pictures and text files of messages that are not sent yet, which a tab keeps while the page is loaded again",
    most: 4 * mib,
    unit: "characters",
    beyond: "further ones are kept only as long as the page is there; the text is kept",
  },
  listedSessions: {
    of: "sessions in the page's list",
    most: 200,
    unit: "count",
    beyond: "older ones are found by searching",
  },
  keptSessions: {
    of: "sessions that the page keeps besides the one it shows",
    most: 4,
    unit: "count",
    beyond: "the one that was left first is let go, and read again when it is opened",
  },
  shownBlocks: {
    of: "parts of a conversation that the page draws at the end of it",
    most: 240,
    unit: "count",
    beyond: "earlier ones are drawn when they are scrolled to",
  },
  notices: {
    of: "notices on the page at once",
    most: 4,
    unit: "count",
    beyond: "the oldest goes",
  },
  sentMessages: {
    of: "messages that can be called back into the page's text field, for each session",
    most: 100,
    unit: "count",
    beyond: "the oldest are not offered",
  },
  seenMarks: {
    of: "sessions of which the page remembers how far they were read",
    most: 500,
    unit: "count",
    beyond: "the oldest counts as read",
  },
  colouredCode: {
    of: "a block of code that the page colours",
    most: 64 * kib,
    unit: "characters",
    beyond: "it is shown in one colour",
  },
} satisfies Area;
