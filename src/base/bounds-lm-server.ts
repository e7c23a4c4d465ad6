/** What a language-model server takes from its clients, and how long it waits for them. */

import { type Area, mib, minutes } from "./bound.ts";

export const lmServer = {
  body: {
    of: "a request to the language-model server, pictures included",
    most: 32 * mib,
    unit: "bytes",
    beyond: "it is refused (413)",
  },
  connections: {
    of: "connections to the language-model server at once",
    most: 256,
    unit: "count",
    beyond: "a new one is closed",
  },
  requests: {
    of: "requests that the language-model server works on at once",
    most: 64,
    unit: "count",
    beyond: "another one is refused, to be sent again in a second (503)",
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
  firstLook: {
    of: "looking whether the model can be opened, when the language-model server starts",
    most: 1_000,
    unit: "milliseconds",
    beyond: "a warning is printed, and the server serves all the same",
  },
  headersTime: {
    of: "waiting for the headers of a request to the language-model server",
    most: 10_000,
    unit: "milliseconds",
    beyond: "the connection is closed (408)",
  },
  requestTime: {
    of: "waiting for the whole of a request to the language-model server",
    most: 30_000,
    unit: "milliseconds",
    beyond: "the connection is closed (408)",
  },
  idleConnection: {
    of: "rest of a connection to the language-model server, between two requests",
    most: minutes,
    unit: "milliseconds",
    beyond: "it is closed",
  },
  silence: {
    of: "silence of the language-model server while a model works",
    most: 10_000,
    unit: "milliseconds",
    beyond: "a sign of life is sent that means nothing in the client's format",
  },
  unread: {
    of: "for how long a client of the language-model server may not read its answer",
    most: 2 * minutes,
    unit: "milliseconds",
    beyond: "the connection is closed, and the model is stopped",
  },
  farewell: {
    of: "answers that are still being given when the language-model server is stopped",
    most: 10_000,
    unit: "milliseconds",
    beyond: "they are broken off",
  },
  lastBytes: {
    of: "last bytes on their way to the clients of a language-model server that ends",
    most: 1_000,
    unit: "milliseconds",
    beyond: "the connections are closed",
  },
} satisfies Area;
