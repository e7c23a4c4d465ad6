/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../base/bound.ts";

/** Events of followed sessions queued for one client before it has read the earlier ones, in bytes. */
export const mostAheadBytes = 256 * kib;
/** Time for which a client leaves queued data unread, in milliseconds. */
export const stalledTimeMs = 5_000;
/** Malformed frames of one connection. */
export const mostBrokenFrames = 64;
/** Interval between two pings to a client, in milliseconds. */
export const beatTimeMs = 15_000;
/** The file of signed-in browsers, in bytes. */
export const mostDevicesBytes = 256 * kib;

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
  messagesPerSecond: {
    of: "requests or frames of one connection per second",
    most: 200,
    unit: "count",
    beyond: "saved-up ones are used; after that the request is refused (429) or the socket closed (4429)",
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
  chatSessions: {
    of: "sessions used by one connection of the chat protocol",
    most: 16,
    unit: "count",
    beyond: "another one is refused",
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
