/** What our MCP server takes from its clients, and how long it waits for them. */

import { type Area, kib, mib, minutes } from "./bound.ts";

export const mcpServer = {
  frame: {
    of: "a message to the MCP server",
    most: 8 * mib,
    unit: "bytes",
    beyond: "it is refused (413, or an answer over standard input), and not kept",
  },
  waiting: {
    of: "calls of tools that wait in the MCP server",
    most: 2_000,
    unit: "count",
    beyond: "further ones are refused, to be made again later",
  },
  together: {
    of: "calls that only read which the MCP server carries out at once",
    most: 16,
    unit: "count",
    beyond: "further ones wait",
  },
  lanes: {
    of: "sessions that carry out the calls of MCP clients at once, while others wait for a person",
    most: 4,
    unit: "count",
    beyond: "further calls wait until one is free",
  },
  callsInSession: {
    of: "requests of MCP clients that are kept in one session",
    most: 500,
    unit: "count",
    beyond: "the next one begins a new session",
  },
  tasks: {
    of: "tasks of MCP clients that are worked on at once",
    most: 16,
    unit: "count",
    beyond: "further ones are refused, to be given again later",
  },
  connections: {
    of: "connections to the MCP server at once",
    most: 64,
    unit: "count",
    beyond: "a new one is closed",
  },
  clients: {
    of: "clients of the MCP server that speak the protocol with a session",
    most: 32,
    unit: "count",
    beyond: "the one that was silent longest is ended",
  },
  idleClient: {
    of: "silence of such a client",
    most: 30 * minutes,
    unit: "milliseconds",
    beyond: "its session with the server is ended; it begins a new one",
  },
  headersTime: {
    of: "waiting for the headers of a request to the MCP server",
    most: 10_000,
    unit: "milliseconds",
    beyond: "the connection is closed (408)",
  },
  requestTime: {
    of: "waiting for the whole of a request to the MCP server",
    most: 30_000,
    unit: "milliseconds",
    beyond: "the connection is closed (408)",
  },
  silence: {
    of: "silence while a task of an MCP client is worked on",
    most: 10_000,
    unit: "milliseconds",
    beyond: "a progress notification says that it goes on, where the client wants them",
  },
  page: {
    of: "text of one page of a transcript or diff for an MCP client",
    most: 64 * kib,
    unit: "characters",
    beyond: "it is told how to read on",
  },
  listed: {
    of: "sessions of one page that an MCP client is told",
    most: 50,
    unit: "count",
    beyond: "it is told how to read on",
  },
  lookedThrough: {
    of: "sessions among which those of the workspace are looked for, for one page",
    most: 2_000,
    unit: "count",
    beyond: "it is told how to read on",
  },
  answer: {
    of: "waiting for the answer of an MCP client's person, where no other time is set",
    most: 10 * minutes,
    unit: "milliseconds",
    beyond: "it counts as a no, and the task is interrupted",
  },
  farewell: {
    of: "what the MCP server still does when its client has gone",
    most: 5_000,
    unit: "milliseconds",
    beyond: "it ends all the same",
  },
} as const satisfies Area;
