/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, characters, count, milliseconds, minutes } from "../base/bound.ts";

/** Clients of the language-model server with a key of their own. */
export const mostClients = 200;

/** The language-model server */
export const lmServerBounds = {
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

/** Open connections: of all that are answered, and of some that wait. */
export const mostConnections = lmServerBounds.requests.most + 200;
