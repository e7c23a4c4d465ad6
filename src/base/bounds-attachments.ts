/** What people and programs may send with a message. */

import { type Area, kib, mib } from "./bound.ts";

export const attachments = {
  text: {
    of: "a text file that is sent with a message",
    most: 128 * kib,
    unit: "bytes",
    beyond: "the rest is left out, which is told; the model can read it itself",
  },
  allText: {
    of: "all text files of one message",
    most: 512 * kib,
    unit: "bytes",
    beyond: "the message is not sent, and people are told",
  },
  picture: {
    of: "a picture that is sent with a message",
    most: 5 * mib,
    unit: "bytes",
    beyond: "it is refused, with words on how to make it smaller",
  },
  side: {
    of: "the longer side of a picture",
    most: 8_000,
    unit: "count",
    beyond: "it is refused, with words on how to make it smaller",
  },
  pictures: {
    of: "pictures of one message",
    most: 20,
    unit: "count",
    beyond: "the message is not sent",
  },
  allPictures: {
    of: "the pictures of one message together",
    most: 20 * mib,
    unit: "bytes",
    beyond: "the message is not sent",
  },
  files: {
    of: "files and directories of one message",
    most: 50,
    unit: "count",
    beyond: "the message is not sent, and people are told",
  },
  entries: {
    of: "names of a directory that is sent with a message",
    most: 500,
    unit: "count",
    beyond: "the rest is left out, which is told",
  },
} as const satisfies Area;
