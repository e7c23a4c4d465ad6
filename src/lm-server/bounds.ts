/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, characters, count, mib, milliseconds, minutes } from "../base/bound.ts";

/** Clients of the language-model server with a key of their own. */
export const mostClients = 200;

/** The language-model server */
export const lmServerBounds = {
  body: bytes(32 * mib, "a request to the language-model server, images included", "it is refused (413)"),
  connections: count(800, "connections to the language-model server", "a new one is closed"),
  requests: count(
    600,
    "concurrent requests to the language-model server",
    "another one is refused, to be repeated in a second (503)",
  ),
  stops: count(
    64,
    "stop sequences of one request to the language-model server",
    "the request is refused (400)",
  ),
  stopLength: characters(256, "one stop sequence", "the request is refused (400)"),
  unread: milliseconds(
    2 * minutes,
    "time for which a client of the language-model server leaves its answer unread",
    "the connection is closed, and the model is stopped",
  ),
} satisfies Area;
