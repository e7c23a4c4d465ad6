/** The sessions of the server's workspace; all others are neither listed nor touched. */

import { type Expected, refuse } from "../base/expected.ts";
import type { HostedRow } from "../hosting/session-host.ts";
import type { McpServerContext } from "./mcp-server-context.ts";

/** Sessions in one list for an MCP client. */
const mostListed = 50;
/** Sessions examined for one list, to find those of the workspace. */
const mostLookedThrough = 2_000;

type WorkspaceHost = Pick<McpServerContext, "host" | "workspace">;
type HostedSessionPage = { sessions: HostedRow[]; after: string | undefined };

/** Newest first; `after`: where the next page begins, if there is one. */
export async function sessionPage(
  { host, workspace }: WorkspaceHost,
  { search, after, limit = mostListed }: { search?: string; after?: string; limit?: number },
): Promise<HostedSessionPage> {
  const sessions: HostedRow[] = [];
  let from = after;
  for (let seen = 0; seen < mostLookedThrough;) {
    const which = {
      search,
      after: from,
    };
    const page = await host.rows({ ...which, limit: mostListed });
    for (const row of page.sessions) {
      if (sessions.length === limit) return { sessions, after: from };
      if (row.workspace === workspace) sessions.push(row);
      from = row.id;
    }
    seen += page.sessions.length;
    if (!page.more || page.sessions.length === 0) return { sessions, after: undefined };
  }
  return { sessions, after: from };
}

/** By full id, or by the end of it if that identifies one session of the workspace. */
export async function findSession(surface: WorkspaceHost, wanted: string): Promise<Expected<HostedRow>> {
  const exact = await surface.host.row(wanted);
  if (exact?.workspace === surface.workspace) return { ok: true, value: exact };
  const { sessions } = await sessionPage(surface, { limit: mostLookedThrough });
  const [only, second] = wanted.length < 4 ? [] : sessions.filter(({ id }) => id.endsWith(wanted));
  if (only && !second) return { ok: true, value: only };
  const problem = second
    ? `Several sessions end with ${wanted}: give the whole id.`
    : `There is no session ${JSON.stringify(wanted.slice(0, 100))} of this workspace: list_sessions tells which there are.`;
  return refuse(problem);
}
