/** Limits of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib, minutes } from "../../base/bound.ts";

/** The MCP server */
export const mcpServerBounds = {
  frame: {
    of: "a message to the MCP server",
    most: 8 * mib,
    unit: "bytes",
    beyond: "it is refused (413, or an error over standard input) and not kept",
  },
  waiting: {
    of: "tool calls queued in the MCP server",
    most: 2_000,
    unit: "count",
    beyond: "further ones are refused, to be repeated later",
  },
  together: {
    of: "read-only calls that the MCP server carries out at once",
    most: 16,
    unit: "count",
    beyond: "further ones wait",
  },
  lanes: {
    of: "sessions in which the MCP server carries out calls at once, while others wait for a person",
    most: 4,
    unit: "count",
    beyond: "further calls wait until one is free",
  },
  callsInSession: {
    of: "requests of MCP clients recorded in one session",
    most: 500,
    unit: "count",
    beyond: "the next one begins a new session",
  },
  tasks: {
    of: "tasks of MCP clients in progress",
    most: 16,
    unit: "count",
    beyond: "further ones are refused, to be repeated later",
  },
  connections: {
    of: "connections to the MCP server",
    most: 64,
    unit: "count",
    beyond: "a new one is closed",
  },
  clients: {
    of: "MCP clients that use the protocol's sessions",
    most: 32,
    unit: "count",
    beyond: "the one that was silent longest is ended",
  },
  idleClient: {
    of: "silence of an MCP client that uses the protocol's sessions",
    most: 30 * minutes,
    unit: "milliseconds",
    beyond: "its protocol session is ended; it begins a new one",
  },
  headersTime: {
    of: "wait for the headers of a request to the MCP server",
    most: 10_000,
    unit: "milliseconds",
    beyond: "the connection is closed (408)",
  },
  requestTime: {
    of: "wait for a whole request to the MCP server",
    most: 30_000,
    unit: "milliseconds",
    beyond: "the connection is closed (408)",
  },
  silence: {
    of: "silence towards an MCP client while its task is in progress",
    most: 10_000,
    unit: "milliseconds",
    beyond: "a progress notification is sent, if the client wants them",
  },
  page: {
    of: "text of one page of a transcript or diff for an MCP client",
    most: 64 * kib,
    unit: "characters",
    beyond: "the client is told how to read on",
  },
  listed: {
    of: "sessions in one list for an MCP client",
    most: 50,
    unit: "count",
    beyond: "the client is told how to read on",
  },
  lookedThrough: {
    of: "sessions examined for one list, to find those of the workspace",
    most: 2_000,
    unit: "count",
    beyond: "the client is told how to read on",
  },
} satisfies Area;
