/** Where what models send ends. A part of the table in bounds.ts. */

import { type Area, kib, mib } from "./bound.ts";

export const model = {
  quickTime: {
    of: "looking for a model server on this computer",
    most: 300,
    unit: "milliseconds",
    beyond: "it counts as not there",
  },
  windowTime: {
    of: "asking how large a model's window is",
    most: 2_000,
    unit: "milliseconds",
    beyond: "the usual size is assumed",
  },
  connectTime: {
    of: "connecting to a server",
    most: 10_000,
    unit: "milliseconds",
    beyond: "it counts as not there",
  },
  silence: {
    of: "silence of a server, before its answer and within it",
    most: 120_000,
    unit: "milliseconds",
    beyond: "the answer has failed; it may be asked for again",
  },
  localSilence: {
    of: "silence of a server on this computer",
    most: 600_000,
    unit: "milliseconds",
    beyond: "the answer has failed; it may be asked for again",
  },
  documentSilence: {
    of: "silence of a server that is asked what it has",
    most: 30_000,
    unit: "milliseconds",
    beyond: "it counts as not there",
  },
  retryWait: {
    of: "waiting because a server asks for it",
    most: 60_000,
    unit: "milliseconds",
    beyond: "the request fails and says how long the server wants",
  },
  answerBytes: {
    of: "one streamed answer",
    most: 256 * mib,
    unit: "bytes",
    beyond: "it is cut off; the request fails",
  },
  wholeBytes: {
    of: "one answer that does not stream",
    most: 64 * mib,
    unit: "bytes",
    beyond: "it is cut off, and cannot be read",
  },
  eventText: {
    of: "one event of a stream",
    most: 64 * mib,
    unit: "characters",
    beyond: "the stream cannot be read; the answer has failed",
  },
  keptMessage: {
    of: "a message as it is written for a model, kept for the next request",
    most: 256 * kib,
    unit: "bytes",
    beyond: "it is written anew in each request",
  },
  errorBytes: {
    of: "the text of a server's error",
    most: mib,
    unit: "bytes",
    beyond: "the rest is not read",
  },
  pageBytes: {
    of: "a web page that comes instead of an answer",
    most: 64 * kib,
    unit: "bytes",
    beyond: "the rest is not read",
  },
  documentBytes: {
    of: "a list of models and the like",
    most: 32 * mib,
    unit: "bytes",
    beyond: "the rest is not read, and so it cannot be used",
  },
  callText: {
    of: "one call that is written as text",
    most: 8 * mib,
    unit: "characters",
    beyond: "the call cannot be used, which the model is told",
  },
  textCalls: {
    of: "calls written as text in one answer",
    most: 32,
    unit: "count",
    beyond: "the rest of them are refused, which the model is told",
  },
} satisfies Area;
