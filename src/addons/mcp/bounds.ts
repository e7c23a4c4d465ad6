/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib, minutes } from "../../base/bound.ts";

/** Wait before an ended tool server is restarted, which doubles each time, in milliseconds. */
export const longestRestMs = 60_000;
/** Time for a tool server to exit after its input is closed, in milliseconds. */
export const exitTimeMs = 500;
/** A file that lists a workspace's tool servers, or records what is known of one, in bytes. */
export const mostServerFileBytes = 1 * mib;

/** Tool servers (MCP) */
export const toolServerBounds = {
  start: {
    of: "start of a tool server",
    most: 30_000,
    unit: "milliseconds",
    beyond: "it is ended and tried again later; its tools are missing until then",
  },
  firstWait: {
    of: "time for which a session's first request waits for tool servers that are starting",
    most: 5_000,
    unit: "milliseconds",
    beyond: "the model is asked without their tools, and gets them in its next step",
  },
  call: {
    of: "a tool server's call without a sign of progress, unless configured otherwise",
    most: 60_000,
    unit: "milliseconds",
    beyond: "the server is told to stop, and the call fails",
  },
  changePoint: {
    of: "call of an editor's tool server before or after a change",
    most: 15_000,
    unit: "milliseconds",
    beyond: "the change goes on without it, and the model is told nothing by it",
  },
  lent: {
    of: "sessions and workspaces to which programs lend tool servers of their own",
    most: 1_000,
    unit: "count",
    beyond: "what was lent longest ago is forgotten",
  },
  wholeCall: {
    of: "a tool server's call that keeps reporting progress",
    most: 30 * minutes,
    unit: "milliseconds",
    beyond: "the server is told to stop, and the call fails",
  },
  login: {
    of: "login at a tool server, until the browser returns",
    most: 5 * minutes,
    unit: "milliseconds",
    beyond: "it is abandoned, and nothing is stored",
  },
  restarts: {
    of: "failed starts of a tool server in a row",
    most: 6,
    unit: "count",
    beyond: "it is not started again until the next request, and people are told",
  },
  message: {
    of: "one message of a tool server",
    most: 10 * mib,
    unit: "bytes",
    beyond: "it is not read: the call that it answers fails, or the connection is closed",
  },
  messages: {
    of: "messages of a tool server read per second",
    most: 2_000,
    unit: "count",
    beyond:
      "only responses are read, and people are told once; after as many responses, nothing is read until the second is over",
  },
  tools: {
    of: "tools of one tool server",
    most: 1_000,
    unit: "count",
    beyond: "further ones are not offered, and people are told",
  },
  told: {
    of: "tools of all tool servers described to the model without a search",
    most: 40,
    unit: "count",
    beyond: "the model gets none until it searches for them",
  },
  toldText: {
    of: "descriptions and schemas of the tools described to the model without a search",
    most: 48 * kib,
    unit: "characters",
    beyond: "the model gets none until it searches for them",
  },
  schema: {
    of: "schema of a tool server's tool, as given to the model",
    most: 32 * kib,
    unit: "characters",
    beyond: "first its descriptions, then its nested parts are left out; calls are checked against all of it",
  },
  resources: {
    of: "resources, or prompts, of a tool server in one list",
    most: 500,
    unit: "count",
    beyond: "further ones are not listed, and the list says so",
  },
  images: {
    of: "images in one result of a tool server",
    most: 8,
    unit: "count",
    beyond: "further ones are left out, with a note",
  },
  result: {
    of: "a tool server's result given to the model",
    most: 100_000,
    unit: "characters",
    beyond: "the middle is left out; the model can read all of it",
  },
} satisfies Area;
