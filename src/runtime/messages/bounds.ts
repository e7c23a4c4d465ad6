/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib, minutes } from "../../base/bound.ts";

/** What is sent with a message */
export const messageBounds = {
  waitingMessages: {
    of: "messages queued behind a running request",
    most: 100,
    unit: "count",
    beyond: "another message is refused, with advice",
  },
  promptHooks: {
    of: "time that hooks take to examine a message",
    most: 2 * minutes,
    unit: "milliseconds",
    beyond: "they are ended, and their `onFailure` setting decides",
  },
  allText: {
    of: "all text files of one message",
    most: 512 * kib,
    unit: "bytes",
    beyond: "the message is not sent, and the person is told",
  },
  picture: {
    of: "an image sent with a message",
    most: 5 * mib,
    unit: "bytes",
    beyond: "it is refused, with advice on how to make it smaller",
  },
  pictures: {
    of: "images of one message",
    most: 20,
    unit: "count",
    beyond: "the message is not sent",
  },
  allPictures: {
    of: "all images of one message together",
    most: 20 * mib,
    unit: "bytes",
    beyond: "the message is not sent",
  },
  files: {
    of: "files and directories of one message",
    most: 50,
    unit: "count",
    beyond: "the message is not sent, and the person is told",
  },
  entries: {
    of: "entries of a directory sent with a message",
    most: 500,
    unit: "count",
    beyond: "the rest are left out, and the message says so",
  },
} satisfies Area;
