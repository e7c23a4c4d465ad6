/** Bounds of everything here that can grow: figures for the code, words for docs/limits.md. */

import { type Area, count } from "../base/bound.ts";

/** Read-only calls that are carried out at once. */
export const mostCallsTogether = 16;

/** The MCP server */
export const mcpServerBounds = {
  waiting: count(
    2_000,
    "tool calls queued in the MCP server",
    "further ones are refused, to be repeated later",
  ),
  tasks: count(16, "tasks of MCP clients in progress", "further ones are refused, to be repeated later"),
  clients: count(
    32,
    "MCP clients that use the protocol's sessions",
    "the one that was silent longest is ended",
  ),
} satisfies Area;
