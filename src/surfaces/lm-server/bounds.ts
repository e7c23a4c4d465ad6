/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, mib, minutes } from "../../base/bound.ts";

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
    most: 400,
    unit: "count",
    beyond: "a new one is closed",
  },
  requests: {
    of: "concurrent requests to the language-model server",
    most: 200,
    unit: "count",
    beyond: "another one is refused, to be repeated in a second (503)",
  },
  clients: {
    of: "clients of the language-model server with a key of their own",
    most: 200,
    unit: "count",
    beyond: "no further key is made until one is revoked",
  },
  usageDays: {
    of: "days for which the language-model server keeps what each client has used",
    most: 400,
    unit: "count",
    beyond: "an older day is forgotten",
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
  fallbackWait: {
    of: "wait that a rate-limited provider gets before the next model of a name is asked",
    most: 2_000,
    unit: "milliseconds",
    beyond: "the next model is asked at once",
  },
  headersTime: {
    of: "wait for the headers of a request to the language-model server",
    most: 10_000,
    unit: "milliseconds",
    beyond: "the connection is closed (408)",
  },
  requestTime: {
    of: "wait for a whole request to the language-model server",
    most: 30_000,
    unit: "milliseconds",
    beyond: "the connection is closed (408)",
  },
  idleConnection: {
    of: "idle time of a connection to the language-model server between two requests",
    most: minutes,
    unit: "milliseconds",
    beyond: "it is closed",
  },
  silence: {
    of: "silence towards a client of the language-model server while a model works",
    most: 10_000,
    unit: "milliseconds",
    beyond: "a keep-alive is sent that means nothing in the client's format",
  },
  unread: {
    of: "time for which a client of the language-model server leaves its answer unread",
    most: 2 * minutes,
    unit: "milliseconds",
    beyond: "the connection is closed, and the model is stopped",
  },
  farewell: {
    of: "time for unfinished answers when the language-model server stops",
    most: 10_000,
    unit: "milliseconds",
    beyond: "they are broken off",
  },
  lastBytes: {
    of: "time for delivering the last bytes when the language-model server stops",
    most: 1_000,
    unit: "milliseconds",
    beyond: "the connections are closed",
  },
} satisfies Area;
