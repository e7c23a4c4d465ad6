/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, kib, mib } from "../base/bound.ts";

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
  tasks: {
    of: "tasks of MCP clients in progress",
    most: 16,
    unit: "count",
    beyond: "further ones are refused, to be repeated later",
  },
  clients: {
    of: "MCP clients that use the protocol's sessions",
    most: 32,
    unit: "count",
    beyond: "the one that was silent longest is ended",
  },
  page: {
    of: "text of one page of a transcript or diff for an MCP client",
    most: 64 * kib,
    unit: "characters",
    beyond: "the client is told how to read on",
  },
} satisfies Area;
