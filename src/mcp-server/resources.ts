/** Sessions as MCP resources: a transcript for people, and the facts as JSON lines. */

import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from "@modelcontextprotocol/server";
import type { McpServerContext } from "./mcp-server-context.ts";
import { factLines, wholeTranscript } from "./transcript.ts";
import { findSession, sessionPage } from "./workspace-sessions.ts";

const root = "toolwright://sessions/";

export async function listResources(
  surface: McpServerContext,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const { sessions, after } = await sessionPage(surface, cursor === undefined ? {} : { after: cursor });
  return {
    resources: sessions.map(({ id, title, updatedAt }) => ({
      uri: `${root}${id}`,
      name: id,
      title: title === "" ? "A session" : title,
      mimeType: "text/markdown",
      annotations: { lastModified: new Date(updatedAt).toISOString() },
    })),
    nextCursor: after,
  };
}

export const resourceTemplates: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: `${root}{session}`,
      name: "transcript",
      title: "What was asked, said, done and decided in a session",
      mimeType: "text/markdown",
    },
    {
      uriTemplate: `${root}{session}/facts{?after}`,
      name: "facts",
      title: "The facts of a session, a line of JSON each, after the one with this number",
      mimeType: "application/jsonl",
    },
  ],
};

export async function readResource(surface: McpServerContext, uri: string): Promise<ReadResourceResult> {
  const [, id, isFacts, after = "0"] =
    /^toolwright:\/\/sessions\/([\w-]{1,200})(?:(\/facts)(?:\?after=(\d{1,15}))?)?$/u.exec(uri) ?? [];
  const found = id === undefined ? undefined : await findSession(surface, id);
  if (!found?.ok) {
    const why = found?.problem ?? "There is no such resource: resources/list tells which there are.";
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, why, { uri });
  }
  if (isFacts === undefined)
    return {
      contents: [{ uri, mimeType: "text/markdown", text: await wholeTranscript(surface.host, found.value) }],
    };
  const { text, next } = await factLines(surface.host, found.value.id, Number(after));
  const _meta = next === undefined ? {} : { _meta: { next: `${root}${found.value.id}/facts?after=${next}` } };
  return { contents: [{ uri, mimeType: "application/jsonl", text, ..._meta }] };
}
