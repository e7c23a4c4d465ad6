/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib, minutes } from "../base/bound.ts";

/** Clients of the language-model server with a key of their own. */
export const mostClients = 200;

/** The language-model server */
export const lmServerBounds = {
  body: {
    of: "a request to the language-model server, images included",
    most: 32 * mib,
    unit: "bytes",
    beyond: "it is refused (413)",
  },
  connections: {
    of: "connections to the language-model server",
    most: 800,
    unit: "count",
    beyond: "a new one is closed",
  },
  requests: {
    of: "concurrent requests to the language-model server",
    most: 600,
    unit: "count",
    beyond: "another one is refused, to be repeated in a second (503)",
  },
  stops: {
    of: "stop sequences of one request to the language-model server",
    most: 64,
    unit: "count",
    beyond: "the request is refused (400)",
  },
  stopLength: {
    of: "one stop sequence",
    most: 256,
    unit: "characters",
    beyond: "the request is refused (400)",
  },
  unread: {
    of: "time for which a client of the language-model server leaves its answer unread",
    most: 2 * minutes,
    unit: "milliseconds",
    beyond: "the connection is closed, and the model is stopped",
  },
} satisfies Area;
