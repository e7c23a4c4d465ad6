/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, characters, count, kib, mib, milliseconds, minutes } from "../../base/bound.ts";

/** Wait before an ended tool server is restarted, which doubles each time, in milliseconds. */
export const longestRestMs = 60_000;
/** Time for a tool server to exit after its input is closed, in milliseconds. */
export const exitTimeMs = 500;
/** Sessions and workspaces to which programs lend tool servers of their own. */
export const mostLent = 1_000;

/** Tool servers (MCP) */
export const toolServerBounds = {
  firstWait: milliseconds(
    5_000,
    "time for which a session's first request waits for tool servers that are starting",
    "the model is asked without their tools, and gets them in its next step",
  ),
  call: milliseconds(
    60_000,
    "a tool server's call without a sign of progress, unless configured otherwise",
    "the server is told to stop, and the call fails",
  ),
  changePoint: milliseconds(
    15_000,
    "call of an editor's tool server before or after a change",
    "the change goes on without it, and the model is told nothing by it",
  ),
  wholeCall: milliseconds(
    30 * minutes,
    "a tool server's call that keeps reporting progress",
    "the server is told to stop, and the call fails",
  ),
  login: milliseconds(
    5 * minutes,
    "login at a tool server, until the browser returns",
    "it is abandoned, and nothing is stored",
  ),
  restarts: count(
    6,
    "failed starts of a tool server in a row",
    "it is not started again until the next request, and people are told",
  ),
  message: bytes(
    10 * mib,
    "one message of a tool server",
    "it is not read: the call that it answers fails, or the connection is closed",
  ),
  messages: count(
    2_000,
    "messages of a tool server read per second",
    "only responses are read, and people are told once; after as many responses, nothing is read until the second is over",
  ),
  listEntries: count(
    1_000,
    "tools of one tool server; the same for resources, and for prompts",
    "further ones are not offered, and people are told",
  ),
  told: count(
    40,
    "tools of all tool servers described to the model without a search",
    "the model gets none until it searches for them",
  ),
  toldText: characters(
    48 * kib,
    "descriptions and schemas of the tools described to the model without a search",
    "the model gets none until it searches for them",
  ),
  schema: characters(
    32 * kib,
    "schema of a tool server's tool, as given to the model",
    "first its descriptions, then its nested parts are left out; calls are checked against all of it",
  ),
} satisfies Area;
