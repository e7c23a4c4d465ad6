/** The editor at the other end of the connection, and what it says that it can do. */

import type { AgentContext, ClientCapabilities, Implementation } from "@agentclientprotocol/sdk";
import { visibleLine } from "../base/visible-text.ts";
import type { ClientShows } from "./session-updates.ts";

export type AcpClient = {
  context: AgentContext;
  shows: ClientShows;
  showsForms: boolean;
  /** It tells what it has open and not saved, and saves it. */
  hasBuffers: boolean;
  /** Its name, for the log. */
  by: string;
};

/** Before its `initialize` it is taken to show the least. */
export function clientOf(
  context: AgentContext,
  capabilities: ClientCapabilities = {},
  info?: Implementation | null,
): AcpClient {
  const { session, elicitation, fs } = capabilities;
  return {
    context,
    shows: {
      notices: isOffered(session?.notices),
      compactions: isOffered(session?.compaction),
      terminals: capabilities._meta?.["terminal_output"] === true,
    },
    showsForms: isOffered(elicitation?.form),
    hasBuffers: fs?.readTextFile === true && fs.writeTextFile === true,
    by: visibleLine(info?.title ?? info?.name ?? "an editor").slice(0, 100),
  };
}

const isOffered = (value: unknown): boolean => value !== undefined && value !== null;
