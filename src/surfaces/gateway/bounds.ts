/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../../base/bound.ts";

/** The gateway */
export const gatewayBounds = {
  bodyBytes: {
    of: "a request body",
    most: 4 * mib,
    unit: "bytes",
    beyond: "it is refused (413)",
  },
  imageBytes: {
    of: "a request body with images",
    most: 16 * mib,
    unit: "bytes",
    beyond: "it is refused (413)",
  },
  codeBytes: {
    of: "a request body without a token: a one-time code",
    most: 4 * kib,
    unit: "bytes",
    beyond: "it is refused (413)",
  },
  depth: {
    of: "nesting of lists and objects in a request",
    most: 64,
    unit: "count",
    beyond: "it is refused (400)",
  },
  queueBytes: {
    of: "data queued in memory for one slow client",
    most: 8 * mib,
    unit: "bytes",
    beyond: "the connection is closed (1013); the client resumes where it was when it reconnects",
  },
  aheadBytes: {
    of: "events of followed sessions queued for one client before it has read the earlier ones",
    most: 256 * kib,
    unit: "bytes",
    beyond: "no more are queued until it reads; signals may be dropped meanwhile",
  },
  stalledTime: {
    of: "time for which a client leaves queued data unread",
    most: 5_000,
    unit: "milliseconds",
    beyond: "the connection is closed (1013)",
  },
  messagesPerSecond: {
    of: "requests or frames of one connection per second",
    most: 200,
    unit: "count",
    beyond: "saved-up ones are used; after that the request is refused (429) or the socket closed (4429)",
  },
  savedMessages: {
    of: "requests or frames that a quiet connection saves up",
    most: 2_000,
    unit: "count",
    beyond: "no more are saved",
  },
  brokenFrames: {
    of: "malformed frames of one connection",
    most: 64,
    unit: "count",
    beyond: "the connection is closed (4429)",
  },
  followed: {
    of: "sessions followed by one connection",
    most: 1_024,
    unit: "count",
    beyond: "another one is refused",
  },
  commandsUnderWay: {
    of: "unanswered commands of one connection",
    most: 256,
    unit: "count",
    beyond: "another one is refused",
  },
  connections: {
    of: "connections to a gateway",
    most: 1_088,
    unit: "count",
    beyond: "one without a token is closed for the new one; if there is none, the new one is closed",
  },
  strangers: {
    of: "connections that have shown no token for a second",
    most: 64,
    unit: "count",
    beyond: "the oldest are closed",
  },
  strangersOfAddress: {
    of: "connections from one address that have shown no token for a second",
    most: 16,
    unit: "count",
    beyond: "the oldest are closed",
  },
  helloTime: {
    of: "wait for the token of a socket that was opened without one",
    most: 2_000,
    unit: "milliseconds",
    beyond: "the connection is closed (4401)",
  },
  headersTime: {
    of: "wait for the headers of a request to a gateway",
    most: 10_000,
    unit: "milliseconds",
    beyond: "the connection is closed (408)",
  },
  requestTime: {
    of: "wait for the rest of a request to a gateway, or the next piece of an import",
    most: 30_000,
    unit: "milliseconds",
    beyond: "the connection is closed (408)",
  },
  quietTime: {
    of: "silence of a client that was pinged",
    most: 60_000,
    unit: "milliseconds",
    beyond: "the connection is closed",
  },
  beatTime: {
    of: "interval between two pings to a client",
    most: 15_000,
    unit: "milliseconds",
    beyond: "the next one is sent",
  },
  codes: {
    of: "unused one-time codes",
    most: 64,
    unit: "count",
    beyond: "the oldest expire",
  },
  codeTime: {
    of: "validity of a one-time code",
    most: 600_000,
    unit: "milliseconds",
    beyond: "it expires; `toolwright serve link` makes a new one",
  },
  devices: {
    of: "browsers signed in to a gateway",
    most: 64,
    unit: "count",
    beyond: "the one not used for longest is signed out, which is logged",
  },
  devicesBytes: {
    of: "the file of signed-in browsers",
    most: 256 * kib,
    unit: "bytes",
    beyond: "it is not read, and browsers sign in again",
  },
  deviceSeen: {
    of: "time between two notes of when a browser was used last",
    most: 60_000,
    unit: "milliseconds",
    beyond: "the next one is stored",
  },
  listedSessions: {
    of: "sessions in one list",
    most: 500,
    unit: "count",
    beyond: "the rest are available with `after`",
  },
  listedFacts: {
    of: "facts in one page",
    most: 1_000,
    unit: "count",
    beyond: "the rest are available with `after`",
  },
  chatSilence: {
    of: "silence of a turn streamed over the chat protocol",
    most: 30_000,
    unit: "milliseconds",
    beyond:
      "the gateway checks whether a process still works on the turn; if not, the stream ends with a message",
  },
  chatSessions: {
    of: "sessions used by one connection of the chat protocol",
    most: 16,
    unit: "count",
    beyond: "another one is refused",
  },
  chatValues: {
    of: "values in one frame of a chat-protocol client",
    most: 4_096,
    unit: "count",
    beyond: "it is refused",
  },
  chatMessages: {
    of: "earlier messages that a chat-protocol client is sent first",
    most: 200,
    unit: "count",
    beyond: "the oldest are left out, and the client is told",
  },
  chatText: {
    of: "text of the earlier messages that a chat-protocol client is sent first",
    most: 512 * kib,
    unit: "characters",
    beyond: "the oldest are left out, and the client is told; the last message is always complete",
  },
} satisfies Area;
