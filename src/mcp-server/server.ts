/** One connection of the MCP server, independent of its transport. */

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
} from "@modelcontextprotocol/server";
import { errorMessage } from "../base/expected.ts";
import { isObject, type JsonObject, parseObject } from "../base/json.ts";
import { visibleLine } from "../base/visible-text.ts";
import type { McpServerContext } from "./mcp-server-context.ts";
import { problem } from "./outcome.ts";
import { callOwnTool, ownTool, ownToolsTold } from "./own-tools.ts";
import { roundCodec } from "./rounds.ts";
import type { SessionToolContext, ToolReply } from "./session-tool.ts";
import { sessionTools } from "./session-tools.ts";
import { factLines, wholeTranscript } from "./transcript.ts";
import { findSession, sessionPage } from "./workspace-sessions.ts";

export function mcpServer(surface: McpServerContext): McpServer {
  const codec = roundCodec(surface.key);
  const mcp = new McpServer(
    { name: "toolwright", title: "Toolwright", version: surface.version },
    {
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      instructions: instructionsFor(surface),
      requestState: { verify: (state, context) => codec.verify(state, context) },
    },
  );
  const { server } = mcp;
  // eslint-disable-next-line unicorn/prefer-add-event-listener -- it has no other way
  server.onerror = (error) => surface.log(error.message);
  server.setRequestHandler("tools/list", async () => ({ tools: await toolsTold(surface) }));
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const { name, arguments: input = {} } = params;
    return call(name, input, { surface, context, ...clientOf(mcp, context) });
  });
  server.setRequestHandler("resources/list", ({ params }) => listResources(surface, params?.cursor));
  server.setRequestHandler("resources/templates/list", () => resourceTemplates);
  server.setRequestHandler("resources/read", ({ params }) => readResource(surface, params.uri));
  return mcp;
}

const instructionsFor = ({ workspace, mode }: McpServerContext): string =>
  `Toolwright is a coding agent for ${visibleLine(workspace)}. Give it whole tasks with run_task, or call its tools yourself; paths are relative to that directory. What would need a person's yes is asked through you where you support elicitation, and denied otherwise (mode ${mode}). Every change can be undone with undo_changes.`;

const toolsTold = async (surface: McpServerContext) => [
  ...sessionTools.map(({ name, title, description, schema, annotations }) => ({
    name,
    title,
    description,
    inputSchema: { ...schema, type: "object" as const },
    annotations,
  })),
  ...ownToolsTold(await surface.toolsHere()),
];

async function call(
  name: string,
  given: Record<string, unknown>,
  about: SessionToolContext,
): Promise<ToolReply> {
  const own = sessionTools.find((tool) => tool.name === name);
  const tool = own ? undefined : ownTool(name);
  if (!own && !tool)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool named ${visibleLine(name).slice(0, 100)}.`,
    );
  const input = asJson(given);
  if (!input) return problem("The arguments are no JSON object.");
  try {
    if (own) return await own.run(input, about);
    return tool ? await callOwnTool(tool, input, about) : problem("");
  } catch (error) {
    const words = errorMessage(error);
    about.surface.log(`${name} failed: ${words}`);
    return problem(`${name} failed: ${words}`);
  }
}

function asJson(given: Record<string, unknown>): JsonObject | undefined {
  const parsed = parseObject(JSON.stringify(given));
  return parsed.ok ? parsed.value : undefined;
}

/** As stated in each request, or once at connection time. */
function clientOf(mcp: McpServer, { mcpReq }: ServerContext): Pick<SessionToolContext, "canAsk" | "by"> {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? mcp.server.getClientCapabilities();
  const info = envelope[CLIENT_INFO_META_KEY] ?? mcp.server.getClientVersion();
  const asks = isObject(capabilities) ? capabilities["elicitation"] : undefined;
  const canAsk = isObject(asks) && (asks["form"] !== undefined || asks["url"] === undefined);
  const name = isObject(info) && typeof info["name"] === "string" ? info["name"] : "a client";
  return { canAsk, by: `${visibleLine(name).slice(0, 100)} (MCP)` };
}

const root = "toolwright://sessions/";

/** Sessions as MCP resources: a transcript for people, and the facts as JSON lines. */
async function listResources(
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

const resourceTemplates: ListResourceTemplatesResult = {
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

async function readResource(surface: McpServerContext, uri: string): Promise<ReadResourceResult> {
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
