/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../base/bound.ts";

/** Asking models */
export const providerBounds = {
  quickTime: {
    of: "search for a model server on this machine",
    most: 300,
    unit: "milliseconds",
    beyond: "it counts as absent",
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
  wholeBytes: {
    of: "one answer that is not streamed",
    most: 64 * mib,
    unit: "bytes",
    beyond: "it is cut off and cannot be read",
  },
  errorBytes: {
    of: "the text of a model server's error",
    most: mib,
    unit: "bytes",
    beyond: "the rest is not read",
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
} satisfies Area;
