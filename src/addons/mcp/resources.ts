/** The tool that lists and reads resources of servers, offered if a server has any. */

import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { attempt } from "../../base/expected.ts";
import type { JsonObject } from "../../base/json.ts";
import { textField } from "../../tools/arguments/shape.ts";
import {
  defineTool,
  failedResult,
  ok,
  type ToolResult,
  type Tool,
  type ToolContext,
} from "../../tools/tool.ts";
import type { KnownMcpServer } from "./known-server.ts";
import { resourceOf } from "./result.ts";
import { timeoutOf } from "./tools.ts";
import { plainLine } from "./words.ts";

/** `servers`: read at each use. Undefined if none has resources. */
export function resourceTool(servers: () => readonly KnownMcpServer[]): Tool | undefined {
  const having = servers().filter(hasResources);
  if (having.length === 0) return undefined;
  return readResource(servers, having.map(({ name }) => name).join(", "));
}

export const readResource = (servers: () => readonly KnownMcpServer[], names = ""): Tool =>
  defineTool({
    name: "read_resource",
    argumentAliases: { server: ["server_name", "serverName"], uri: ["url", "resource", "path"] },
    summary: `Read a resource of a tool server (${plainLine(names, 200)}); without uri, list what it has.`,
    // The server decides what a URI triggers, so approval is required unless the user declared the server read-only.
    does: "execute",
    input: () => ({
      server: textField("Name of the server"),
      uri: z.optional(textField("The resource, as the list names it")),
    }),
    title: ({ server, uri }) =>
      uri === undefined ? `List the resources of ${server}` : `Read ${plainLine(uri, 300)} of ${server}`,
    paths: ({ uri }) => fileNamedBy(uri),
    doesWith: ({ server, uri }) =>
      uri === undefined || isListed(servers(), server, uri) ? "read" : undefined,
    run: ({ server, uri }, context) => resourceResult(servers(), { server, uri }, context),
  });

/** A server that runs here may read the workspace's files. */
function fileNamedBy(uri: string | undefined): string[] {
  if (uri === undefined || !/^file:/iu.test(uri)) return [];
  return attempt(() => [fileURLToPath(uri)]) ?? [];
}

const hasResources = ({ server: { offer } }: KnownMcpServer): boolean =>
  (offer?.resources.length ?? 0) + (offer?.templates.length ?? 0) > 0;

/** A listed URI follows the server's `reads` setting; one that the model made up may trigger anything. */
function isListed(servers: readonly KnownMcpServer[], server: string, uri: string): boolean {
  const known = servers.find(({ name }) => name === server);
  return known?.settings.reads !== undefined && known.settings.reads !== false
    ? known.server.offer?.resources.some((resource) => resource["uri"] === uri) === true
    : false;
}

async function resourceResult(
  servers: readonly KnownMcpServer[],
  { server, uri }: { server: string; uri: string | undefined },
  context: ToolContext,
): Promise<ToolResult> {
  const known =
    servers.find(({ name }) => name === server) ??
    servers.find(({ name }) => name.toLowerCase() === server.toLowerCase());
  if (!known) {
    const names = servers.filter(hasResources).map(({ name }) => name);
    return failedResult(
      `There is no server "${plainLine(server, 64)}" with resources. There are: ${names.join(", ")}.`,
    );
  }
  if (uri === undefined) return ok(listOf(known));
  const how = { signal: context.signal, timeout: timeoutOf(known.settings) };
  const asked = await known.server.ask("resources/read", { uri }, how);
  return asked.ok ? resourceOf(asked.value, context) : failedResult(asked.problem);
}

function listOf({ name, server: { offer } }: KnownMcpServer): string {
  const lines = [
    ...(offer?.resources ?? []).filter(has("uri")).map((resource) => lineOf(resource, "uri")),
    ...(offer?.templates ?? [])
      .filter(has("uriTemplate"))
      .map((template) => `${lineOf(template, "uriTemplate")} (fill in what is in braces)`),
  ];
  const more = offer?.cut.includes("resources") ? ["[It has more, which are not listed.]"] : [];
  return lines.length === 0 ? `The server ${name} has no resources.` : [...lines, ...more].join("\n");
}

const has =
  (key: string) =>
  (resource: JsonObject): boolean =>
    typeof resource[key] === "string";

function lineOf(resource: JsonObject, key: "uri" | "uriTemplate"): string {
  const said = (name: string, most: number): string => {
    const value = resource[name];
    return typeof value === "string" ? plainLine(value, most) : "";
  };
  const about = [said("title", 120) || said("name", 120), said("description", 300)].filter(
    (one) => one !== "",
  );
  return `${said(key, 500)}${about.length === 0 ? "" : ` - ${about.join(": ")}`}`;
}
