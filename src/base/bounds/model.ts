/** Limits of model requests: how long to wait for a server, and how much of an answer is read. */

import { type Area, kib, mib } from "../bound.ts";

export const model = {
  quickTime: {
    of: "search for a model server on this machine",
    most: 300,
    unit: "milliseconds",
    beyond: "it counts as absent",
  },
  windowTime: {
    of: "query for the size of a model's context window",
    most: 2_000,
    unit: "milliseconds",
    beyond: "the usual size is assumed",
  },
  connectTime: {
    of: "connection attempt to a model server",
    most: 10_000,
    unit: "milliseconds",
    beyond: "the server counts as absent",
  },
  silence: {
    of: "silence of a remote model server, before or during its answer",
    most: 120_000,
    unit: "milliseconds",
    beyond: "the answer has failed; it may be requested again",
  },
  localSilence: {
    of: "silence of a model server on this machine, before or during its answer",
    most: 600_000,
    unit: "milliseconds",
    beyond: "the answer has failed; it may be requested again",
  },
  documentSilence: {
    of: "silence of a model server that is asked for its models",
    most: 30_000,
    unit: "milliseconds",
    beyond: "the server counts as absent",
  },
  retryTime: {
    of: "retrying of a request to an overloaded or lost model server, in all (`--retry-for`)",
    most: 600_000,
    unit: "milliseconds",
    beyond: "the request fails, and says how long the server wants",
  },
  answerBytes: {
    of: "one streamed answer",
    most: 256 * mib,
    unit: "bytes",
    beyond: "it is cut off, and the request fails",
  },
  wholeBytes: {
    of: "one answer that is not streamed",
    most: 64 * mib,
    unit: "bytes",
    beyond: "it is cut off and cannot be read",
  },
  eventText: {
    of: "one event of a streamed answer",
    most: 64 * mib,
    unit: "characters",
    beyond: "the stream cannot be read, and the answer has failed",
  },
  keptMessage: {
    of: "an encoded message cached for the next request",
    most: 256 * kib,
    unit: "bytes",
    beyond: "it is encoded again for each request",
  },
  errorBytes: {
    of: "the text of a model server's error",
    most: mib,
    unit: "bytes",
    beyond: "the rest is not read",
  },
  keptKeys: {
    of: "the file of the keys that `toolwright login` keeps",
    most: 64 * kib,
    unit: "bytes",
    beyond: "it is not used, and a warning says so",
  },
  keyLength: {
    of: "a key handed to `toolwright login`",
    most: 4 * kib,
    unit: "characters",
    beyond: "it is refused",
  },
  keyTrial: {
    of: "trial of a key by `toolwright login`",
    most: 20_000,
    unit: "milliseconds",
    beyond: "the key is not kept, and a message says why",
  },
  pageBytes: {
    of: "a web page received instead of an answer",
    most: 64 * kib,
    unit: "bytes",
    beyond: "the rest is not read",
  },
  documentBytes: {
    of: "a list of models, or another document of a model server",
    most: 32 * mib,
    unit: "bytes",
    beyond: "the rest is not read, so the document cannot be used",
  },
  callText: {
    of: "one call written as text",
    most: 8 * mib,
    unit: "characters",
    beyond: "the call is rejected, and the model is told",
  },
  answerCalls: {
    of: "calls in one answer",
    most: 300,
    unit: "count",
    beyond: "the rest are not started, and the model is told",
  },
  textCalls: {
    of: "calls written as text in one answer",
    most: 32,
    unit: "count",
    beyond: "the rest are rejected, and the model is told",
  },
} satisfies Area;
