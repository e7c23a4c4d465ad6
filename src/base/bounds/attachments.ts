/** Limits of attachments to a message: files, directories and images. */

import { type Area, kib, mib } from "../bound.ts";

export const attachments = {
  text: {
    of: "a text file sent with a message",
    most: 128 * kib,
    unit: "bytes",
    beyond: "the rest is left out, and the message says so; the model can read the file itself",
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
  side: {
    of: "the longer side of an image in pixels",
    most: 8_000,
    unit: "count",
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
} as const satisfies Area;
