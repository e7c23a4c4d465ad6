/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, bytes, characters, count, kib, mib } from "../base/bound.ts";

/** The MCP server */
export const mcpServerBounds = {
  frame: bytes(
    8 * mib,
    "a message to the MCP server",
    "it is refused (413, or an error over standard input) and not kept",
  ),
  waiting: count(
    2_000,
    "tool calls queued in the MCP server",
    "further ones are refused, to be repeated later",
  ),
  together: count(16, "read-only calls that the MCP server carries out at once", "further ones wait"),
  tasks: count(16, "tasks of MCP clients in progress", "further ones are refused, to be repeated later"),
  clients: count(
    32,
    "MCP clients that use the protocol's sessions",
    "the one that was silent longest is ended",
  ),
  page: characters(
    64 * kib,
    "text of one page of a transcript or diff for an MCP client",
    "the client is told how to read on",
  ),
} satisfies Area;
