/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, characters, count, kib, mib, milliseconds } from "../base/bound.ts";

/** Events of followed sessions queued for one client before it has read the earlier ones, in bytes. */
export const mostAheadBytes = 256 * kib;
/** Time for which a client leaves queued data unread, in milliseconds. */
export const stalledTimeMs = 5_000;
/** Malformed frames of one connection. */
export const mostBrokenFrames = 64;
/** Interval between two pings to a client, in milliseconds. */
export const beatTimeMs = 15_000;

/** The body of a request without a token, which holds a one-time code, in bytes. */
export const mostCodeBytes = 4 * kib;

/** The gateway */
export const gatewayBounds = {
  bodyBytes: bytes(4 * mib, "a request body", "it is refused (413)"),
  depth: count(64, "nesting of lists and objects in a request", "it is refused (400)"),
  queueBytes: bytes(
    8 * mib,
    "data queued in memory for one slow client",
    "the connection is closed (1013); the client resumes where it was when it reconnects",
  ),
  messagesPerSecond: count(
    200,
    "requests or frames of one connection per second",
    "saved-up ones are used; after that the request is refused (429) or the socket closed (4429)",
  ),
  followed: count(1_024, "sessions followed by one connection", "another one is refused"),
  connections: count(
    1_088,
    "connections to a gateway",
    "one without a token is closed for the new one; if there is none, the new one is closed",
  ),
  codeTime: milliseconds(
    600_000,
    "validity of a one-time code",
    "it expires; `toolwright serve link` makes a new one",
  ),
  devices: count(
    64,
    "browsers signed in to a gateway",
    "the one not used for longest is signed out, which is logged",
  ),
  listEntries: count(
    1_000,
    "sessions in one list, and facts in one page",
    "the rest are available with `after`",
  ),
  chatSessions: count(16, "sessions used by one connection of the chat protocol", "another one is refused"),
  chatMessages: count(
    200,
    "earlier messages that a chat-protocol client is sent first",
    "the oldest are left out, and the client is told",
  ),
  chatText: characters(
    512 * kib,
    "text of the earlier messages that a chat-protocol client is sent first",
    "the oldest are left out, and the client is told; the last message is always complete",
  ),
} satisfies Area;
