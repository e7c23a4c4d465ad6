/** Dependencies and state shared by all parts of the MCP server. */

import type { SessionHost } from "../hosting/session-host.ts";
import type { Mode } from "../protocol/facts.ts";
import type { FileObjection } from "../runtime/reading.ts";
import type { Tool } from "../tools/tool.ts";
import type { DirectCalls } from "./direct-calls.ts";
import type { UnansweredQuestions } from "./unanswered-questions.ts";

export type McpServerContext = {
  /** Hosts the sessions that work on tasks. */
  host: SessionHost;
  /** Tool calls made directly by clients. */
  calls: DirectCalls;
  /** Our tools that currently depend on the workspace and the user's configuration. */
  toolsHere(): Promise<readonly Tool[]>;
  /** Absolute and real path; sessions of other workspaces are inaccessible here. */
  workspace: string;
  /** What objects to reading a file that a client attaches. */
  objection?: FileObjection;
  /** The most permissive mode allowed. */
  mode: Mode;
  version: string;
  unanswered: UnansweredQuestions;
  /** Signs the state that a client must send back; 256 bits. */
  key: Uint8Array;
  /** Sessions with a task in progress. */
  tasks: Set<string>;
  log(line: string): void;
};
